import type { SessionRow } from "../../protocol/query.ts";
import type { Database, Row } from "./database.ts";

export interface NewSession {
  id: string;
  workspace: string;
  cwd: string;
  at: number;
  model: string;
}

const shortestPrefix = 4;
const columns = "select *, (select id from task where task.session = session.id) as task from session";

export function insertSession(database: Database, row: NewSession): void {
  database.run(
    "insert into session (id, workspace, cwd, started_at, last_at, model) values (?, ?, ?, ?, ?, ?)",
    row.id,
    row.workspace,
    row.cwd,
    row.at,
    row.at,
    row.model,
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

export function newestSessions(database: Database, limit: number): SessionRow[] {
  return database.all(`${columns} order by last_at desc, number desc limit ?`, limit).map(sessionRow);
}

export function eraseSession(database: Database, id: string): void {
  database.script("pragma secure_delete = on");
  database.transaction(() => {
    database.run("delete from session where id = ?", id);
    database.run("delete from approval where session = ?", id);
    database.run("delete from lease where session = ?", id);
  });
  database.script("pragma secure_delete = off; pragma wal_checkpoint(truncate)");
}

function sessionRow(row: Row): SessionRow {
  return {
    id: String(row["id"]),
    title: String(row["title"]),
    startedAt: Number(row["started_at"]),
    lastAt: Number(row["last_at"]),
    turns: Number(row["turns"]),
    model: String(row["model"]),
    cost: Number(row["unpriced"]) > 0 ? null : Number(row["cost"]),
    open: Number(row["turn_open"]) === 1,
    ...(typeof row["task"] === "string" && { task: row["task"] }),
  };
}
