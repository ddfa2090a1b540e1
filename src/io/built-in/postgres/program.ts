// Reads PostgreSQL databases that the person has named, in transactions in which the server itself lets nothing be written,
// and changes those that may be changed, after a person has seen the rows.
import { anyChange, type ChangeWish, openChanges } from "../rows/change.ts";
import { type BuiltInProgram, PluginProblem, textOf, textReply } from "../serving/spec.ts";
import { openConnection, refusalText, type Sql, type Transaction } from "./connection.ts";
import { schemaText } from "./schema.ts";
import type { PostgresDatabase, PostgresOptions } from "./spec.ts";
import { touchedBy } from "./touched.ts";

const most = { rows: 200, cell: 500, text: 200_000, ms: 10_000 };

type Input = { [name: string]: unknown };

export function openPostgres({ databases }: PostgresOptions, env: NodeJS.ProcessEnv): BuiltInProgram {
  const named = (input: Input): PostgresDatabase => {
    const name = input["database"] ?? (databases.length === 1 ? databases[0]?.name : undefined);
    const found = databases.find((each) => each.name === name);
    if (found) return found;
    throw new PluginProblem(`"database" is one of: ${databases.map((each) => each.name).join(", ")}.`);
  };
  const reading = <T>(input: Input, read: (transaction: Transaction) => Promise<T>): Promise<T> =>
    inTransaction({ database: named(input), env, writes: false }, async (transaction, undo) => {
      // Before its version 16 the server lets large objects be made in a transaction that only reads.
      undo();
      return read(transaction);
    });
  const changes = openChanges((wish: ChangeWish, keep) => {
    const database = named({ database: wish.database });
    if (!database.writable) throw new PluginProblem(`${database.name} may only be read.`);
    return inTransaction({ database, env, writes: true }, async (transaction, undo) => {
      const touched = await touchedBy(transaction, wish.sql);
      if (!keep(touched)) undo();
      return touched;
    });
  });
  return {
    async call(tool, input) {
      if (anyChange(tool)) return changes(tool, input);
      if (tool === "schema") return textReply(await reading(input, (sql) => schemaText(sql, most.text)));
      const statement = textOf(input, "sql");
      if (tool === "explain") return textReply(await reading(input, (sql) => planOf(sql, statement)));
      return textReply(await reading(input, (sql) => rowsOf(sql, statement)));
    },
    close: async () => undefined,
  };
}

interface Wanted {
  database: PostgresDatabase;
  env: NodeJS.ProcessEnv;
  writes: boolean;
}

class Undone extends Error {}

/** `undo` lets the transaction end without an effect. */
async function inTransaction<T>(
  { database, env, writes }: Wanted,
  work: (transaction: Transaction, undo: () => void) => Promise<T>,
): Promise<T> {
  let undone = false;
  let result: { value: T } | undefined;
  let connection: Sql | undefined;
  try {
    connection = openConnection(database, env, writes);
    await connection.begin(writes ? "READ WRITE" : "READ ONLY", async (transaction) => {
      await refuseSuperuser(transaction, database.name);
      await transaction.unsafe(
        `SET LOCAL statement_timeout = ${most.ms}; SET LOCAL lock_timeout = 3000; SET LOCAL idle_in_transaction_session_timeout = 20000`,
      );
      result = { value: await work(transaction, () => void (undone = true)) };
      if (undone) throw new Undone();
    });
  } catch (error) {
    if (!(error instanceof Undone)) throw new PluginProblem(refusalText(error, database, env));
  } finally {
    await connection?.end({ timeout: 1 });
  }
  if (!result) throw new PluginProblem("The transaction did not end.");
  return result.value;
}

/** A superuser reads and writes files of the server and ends its sessions, in whatever kind of transaction. */
async function refuseSuperuser(sql: Transaction, name: string): Promise<void> {
  const [row] = await sql`
    SELECT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolsuper AND pg_catalog.pg_has_role(session_user, oid, 'MEMBER')) AS may`;
  if (row?.["may"] !== true) return;
  throw new PluginProblem(
    `The role that ${name} is opened with is a superuser, whom no transaction keeps from the server's files. Name one that is not: CREATE ROLE reader LOGIN PASSWORD '…' IN ROLE pg_read_all_data.`,
  );
}

/** One statement alone: the extended protocol takes no second one. */
const alone = (sql: Transaction, statement: string) => sql.unsafe(statement, [], { simple: false } as object);

async function planOf(sql: Transaction, statement: string): Promise<string> {
  const rows = await alone(sql, `EXPLAIN (ANALYZE false, COSTS true) ${statement}`);
  return rows.map((row) => String(row["QUERY PLAN"])).join("\n");
}

/** A cursor takes nothing but a query, and gives its rows in pieces. */
async function rowsOf(sql: Transaction, statement: string): Promise<string> {
  await alone(sql, `DECLARE fettle_rows NO SCROLL CURSOR FOR\n${statement.replace(/[\s;]+$/, "")}`);
  const lines: string[] = [];
  let size = 0;
  while (true) {
    const rows = await sql.unsafe("FETCH 50 FROM fettle_rows").raw();
    if (lines.length === 0) lines.push(rows.columns.map(({ name }) => name).join("\t"));
    for (const row of rows) {
      if (lines.length > most.rows || size > most.text) {
        return [...lines, `(more than ${lines.length - 1} rows; the rest is left out)`].join("\n");
      }
      const line = (row as unknown as (Buffer | null)[]).map(cellText).join("\t");
      size += line.length;
      lines.push(line);
    }
    if (rows.length < 50) return lines.length === 1 ? "No rows." : lines.join("\n");
  }
}

function cellText(value: Buffer | null): string {
  if (value === null) return "NULL";
  const text = value.toString("utf8").replace(/[\t\r\n]+/g, " ");
  return text.length > most.cell ? `${text.slice(0, most.cell)}…` : text;
}
