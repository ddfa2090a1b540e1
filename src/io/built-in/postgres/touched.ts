// What one INSERT, UPDATE or DELETE touches, told by the server inside the transaction in which it runs.
import { PluginProblem } from "../serving/spec.ts";
import { type Cells, mostTouched, type Touched } from "../rows/spec.ts";
import type { Transaction } from "./connection.ts";

interface Target {
  operation: string;
  schema: string;
  table: string;
  alias: string;
}

interface Node {
  [name: string]: unknown;
  Plans?: Node[];
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const alone = { simple: false } as object;

/** Rejects with what the server says, or with a PluginProblem for what nobody could be shown the rows of. */
export async function touchedBy(sql: Transaction, given: string): Promise<Touched> {
  const statement = given.replace(/[\s;]+$/, "");
  const target = await targetOf(sql, statement);
  const keys = target.operation === "Update" ? await keysOf(sql, target) : [];
  const relation = `${quoted(target.schema)}.${quoted(target.table)}`;
  const alias = quoted(target.alias);
  // As text, column by column: a number that JavaScript cannot hold stays what it is.
  const cells = (row: string) => `(SELECT json_object_agg(key, value)::text FROM json_each_text(to_json(${row})))`;
  const same = keys.map((key) => `fettle_before.${quoted(key)} = ${alias}.${quoted(key)}`).join(" AND ");
  const before =
    keys.length === 0
      ? "NULL::text"
      : `(SELECT ${cells("fettle_before")} FROM ${relation} fettle_before WHERE ${same})`;
  const rows = await sql.unsafe<{ row: string; old: string | null }[]>(
    `WITH fettle_touched("row", "old") AS (\n${statement}\nRETURNING ${cells(alias)}, ${before}\n) SELECT * FROM fettle_touched LIMIT ${mostTouched + 1}`,
    [],
    alone,
  );
  if (rows.length > mostTouched)
    throw new PluginProblem(`It touches more than ${mostTouched} rows, more than anybody looks at. Narrow it.`);
  const name = `${target.schema}.${target.table}`;
  return {
    tables: await countsOf(sql),
    rows: rows.map(({ row, old }) => {
      const now = JSON.parse(row) as Cells;
      if (target.operation === "Delete") return { table: name, before: now };
      return { table: name, after: now, ...(old !== null && { before: JSON.parse(old) as Cells }) };
    }),
  };
}

/** The planner says what a statement is; nothing of it runs. */
async function targetOf(sql: Transaction, statement: string): Promise<Target> {
  const [row] = await sql.unsafe(`EXPLAIN (FORMAT JSON, VERBOSE) ${statement}`, [], alone);
  const [whole] = (row?.["QUERY PLAN"] ?? []) as { Plan?: Node }[];
  const plan = whole?.Plan ?? {};
  const { Operation: operation, Schema: schema, "Relation Name": table, Alias: alias } = plan;
  const changes = nodesOf(plan).filter((node) => node["Node Type"] === "ModifyTable");
  const known = ["Insert", "Update", "Delete"].includes(String(operation));
  if (!known || changes.length !== 1 || plan["Node Type"] !== "ModifyTable" || typeof table !== "string")
    throw new PluginProblem(
      "Only one INSERT, UPDATE or DELETE of one table can be shown by its rows before it is made.",
    );
  if (plan["Output"] !== undefined) throw new PluginProblem("Leave RETURNING out: the rows are told anyway.");
  return {
    operation: String(operation),
    schema: String(schema),
    table,
    alias: typeof alias === "string" ? alias : table,
  };
}

const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

async function keysOf(sql: Transaction, { schema, table }: Target): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    SELECT a.attname AS name FROM pg_catalog.pg_index i
      JOIN pg_catalog.pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
     WHERE i.indisprimary AND i.indrelid = ${`${quoted(schema)}.${quoted(table)}`}::text::regclass`;
  return rows.map(({ name }) => name);
}

/** Of the transaction alone, what triggers and foreign keys did in other tables too. */
async function countsOf(sql: Transaction): Promise<Touched["tables"]> {
  const rows = await sql<{ name: string; inserted: number; updated: number; deleted: number }[]>`
    SELECT schemaname || '.' || relname AS name, n_tup_ins::int AS inserted, n_tup_upd::int AS updated,
           n_tup_del::int AS deleted
      FROM pg_catalog.pg_stat_xact_user_tables WHERE n_tup_ins + n_tup_upd + n_tup_del > 0 ORDER BY 1`;
  return rows.map(({ name, inserted, updated, deleted }) => ({ name, inserted, updated, deleted }));
}
