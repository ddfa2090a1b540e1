// Tasks and their transitions. A transition is one transaction; the task's row says which state it was taken from.
import { Fault } from "../../base/fault.ts";
import { Exit } from "../../protocol/exit.ts";
import { foldTask } from "../../protocol/task-fold.ts";
import type { TaskPatch, TaskRecord, TaskStateName, Transition } from "../../protocol/task.ts";
import type { Database, Row } from "./database.ts";
import { parsed, titleOf } from "./facts.ts";

export interface NewTask {
  id: string;
  session: string;
  at: number;
  request: TaskRecord["request"];
}

export interface TaskMove {
  from: TaskStateName;
  to: TaskStateName;
  at: number;
  patch: TaskPatch;
}

export function insertTask(database: Database, { id, session, at, request }: NewTask): void {
  database.run(
    "insert into task (id, session, state, started_at, updated_at, request) values (?, ?, ?, ?, ?, ?)",
    ...[id, session, "INTENT_ANALYSIS", at, at, JSON.stringify(request)],
  );
  // Its first prompt is a mission's, which says the same of every task.
  database.run("update session set title = ? where id = ?", titleOf(request.text), session);
}

/** Throws when the task is no longer in `from`: nobody moves it twice. Belongs into a transaction with what goes with it. */
export function moveTask(database: Database, task: string, move: TaskMove): void {
  database.transaction(() => {
    const changed = database.run(
      "update task set state = ?, updated_at = ? where id = ? and state = ?",
      ...[move.to, move.at, task, move.from],
    );
    if (changed !== 1) {
      throw new Fault(
        "task.moved",
        Exit.failed,
        `Task ${task} is no longer in ${move.from}; another process moved it.`,
        `Look at it: fettle task show ${task}`,
      );
    }
    database.run(
      "insert into task_transition (task, seq, from_state, to_state, at, patch) " +
        "select ?1, coalesce(max(seq), 0) + 1, ?2, ?3, ?4, ?5 from task_transition where task = ?1",
      ...[task, move.from, move.to, move.at, JSON.stringify(move.patch)],
    );
  });
}

export function transitionsOf(database: Database, task: string): Transition[] {
  return database.all("select * from task_transition where task = ? order by seq", task).map((row) => ({
    seq: Number(row["seq"]),
    from: String(row["from_state"]) as TaskStateName,
    to: String(row["to_state"]) as TaskStateName,
    at: Number(row["at"]),
    patch: parsed<TaskPatch>(database, row, "patch"),
  }));
}

const shortest = 3;

/** By id, or by the first characters of one when only one has them. */
export function taskBy(database: Database, id: string): TaskRecord | undefined {
  const exact = database.get("select * from task where id = ?", id);
  if (exact) return recordOf(database, exact);
  const like =
    id.length < shortest ? [] : database.all("select * from task where substr(id, 1, length(?1)) = ?1 limit 2", id);
  return like[0] && like.length === 1 ? recordOf(database, like[0]) : undefined;
}

/** Newest first. */
export function newestTasks(database: Database, limit: number): { task: TaskRecord; updatedAt: number }[] {
  const rows = database.all("select * from task order by started_at desc, id desc limit ?", limit);
  return rows.map((row) => ({ task: recordOf(database, row), updatedAt: Number(row["updated_at"]) }));
}

function recordOf(database: Database, row: Row): TaskRecord {
  const first: TaskRecord = {
    id: String(row["id"]),
    session: String(row["session"]),
    state: "INTENT_ANALYSIS",
    request: parsed<TaskRecord["request"]>(database, row, "request"),
    startedAt: Number(row["started_at"]),
    spentMs: 0,
  };
  return transitionsOf(database, first.id).reduce(foldTask, first);
}

/** Why the session's task is paused, where no step has followed. */
export function lastPause(database: Database, session: string): string | undefined {
  const row = database.get(
    "select json_extract(f.json, '$.type') as type, json_extract(f.json, '$.text') as text from fact f " +
      "join session s on s.number = f.session where s.id = ? and " +
      "json_extract(f.json, '$.type') in ('task.paused', 'task.moved', 'turn.started') order by f.seq desc limit 1",
    session,
  );
  return row?.["type"] === "task.paused" ? String(row["text"]) : undefined;
}
