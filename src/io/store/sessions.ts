import type { SessionRow } from "../../protocol/query.ts";
import type { Database, Row } from "./database.ts";

export interface NewSession {
  id: string;
  workspace: string;
  cwd: string;
  at: number;
  model: string;
  /** The session that it works for, as one of its subagents. */
  parent?: string;
}

const shortestPrefix = 4;
const columns = "select *, (select id from task where task.session = session.id) as task from session";

export function insertSession(database: Database, row: NewSession): void {
  database.run(
    "insert into session (id, workspace, cwd, started_at, last_at, model, parent) values (?, ?, ?, ?, ?, ?, ?)",
    ...[row.id, row.workspace, row.cwd, row.at, row.at, row.model, row.parent ?? null],
  );
}

export function sessionBy(database: Database, id: string): SessionRow | undefined {
  const exact = database.get(`${columns} where id = ?`, id);
  if (exact) return sessionRow(exact);
  if (id.length < shortestPrefix) return undefined;
  const candidates = database.all(`${columns} where substr(id, 1, length(?1)) = ?1 limit 2`, id);
  const only = candidates.length === 1 ? candidates[0] : undefined;
  return only && sessionRow(only);
}

/** Without those of subagents. */
export function newestSessions(database: Database, limit: number): SessionRow[] {
  const order = "order by last_at desc, number desc";
  return database.all(`${columns} where parent is null ${order} limit ?`, limit).map(sessionRow);
}

/** Of the newest ones, those in which each of these texts stands, in the conversation or the title. Letters A to Z fold. */
export function sessionsHolding(database: Database, texts: readonly string[], among: number): SessionRow[] {
  const held = texts
    .map(
      () =>
        "(instr(lower(title), ?) > 0 or exists (select 1 from fact where fact.session = session.number and instr(lower(json), ?) > 0))",
    )
    .join(" and ");
  const newest = `select number from session where parent is null order by last_at desc, number desc limit ${among}`;
  return database
    .all(
      `${columns} where number in (${newest}) and ${held} order by last_at desc, number desc`,
      ...texts.flatMap((text) => [text, text]),
    )
    .map(sessionRow);
}

export function renameSession(database: Database, id: string, title: string): void {
  database.run("update session set title = ? where id = ?", title, id);
}

/** Of subagents whose turn has not ended. */
export function openSubagents(database: Database): SessionRow[] {
  return database.all(`${columns} where parent is not null and turn_open = 1 order by number`).map(sessionRow);
}

/** Micro-dollars of its rounds and those of all sessions below it; null where a price is not known. */
export function costOf(database: Database, id: string): number | null {
  const { micro, unpriced } = pricedCostOf(database, id);
  return unpriced > 0 ? null : micro;
}

/** As costOf, of the rounds that have a price; `unpriced`: how many have none. */
export function pricedCostOf(database: Database, id: string): { micro: number; unpriced: number } {
  const row = database.get(
    `with recursive below(id) as (select ? union select session.id from session join below on session.parent = below.id)
    select coalesce(sum(cost), 0) as cost, coalesce(sum(unpriced), 0) as unpriced from session where id in (select id from below)`,
    id,
  );
  return { micro: Number(row?.["cost"] ?? 0), unpriced: Number(row?.["unpriced"] ?? 0) };
}

/** With those of its subagents. */
export function eraseSession(database: Database, id: string): void {
  database.script("pragma secure_delete = on");
  database.transaction(() => {
    for (const one of withSubagents(database, id)) {
      database.run("delete from session where id = ?", one);
      database.run("delete from approval where session = ?", one);
      database.run("delete from lease where session = ?", one);
    }
  });
  database.script("pragma secure_delete = off; pragma wal_checkpoint(truncate)");
}

function withSubagents(database: Database, id: string): string[] {
  const below = database.all("select id from session where parent = ?", id).map((row) => String(row["id"]));
  return [id, ...below.flatMap((child) => withSubagents(database, child))];
}

function sessionRow(row: Row): SessionRow {
  return {
    id: String(row["id"]),
    title: String(row["title"]),
    cwd: String(row["cwd"]),
    startedAt: Number(row["started_at"]),
    lastAt: Number(row["last_at"]),
    turns: Number(row["turns"]),
    model: String(row["model"]),
    cost: Number(row["unpriced"]) > 0 ? null : Number(row["cost"]),
    open: Number(row["turn_open"]) === 1,
    ...(typeof row["task"] === "string" && { task: row["task"] }),
    ...(typeof row["parent"] === "string" && { parent: row["parent"] }),
  };
}
