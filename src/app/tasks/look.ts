import { Fault } from "../../base/fault.ts";
import { Exit } from "../../protocol/exit.ts";
import { finished, type TaskRecord, type TaskRow, type TaskView } from "../../protocol/task.ts";
import type { Program } from "../program.ts";

export const listTasks = (program: Program, limit: number): TaskRow[] =>
  program
    .store()
    .tasks(limit)
    .map(({ task, updatedAt }) => rowOf(program, task, updatedAt));

const rowOf = (program: Program, task: TaskRecord, updatedAt: number): TaskRow => ({
  id: task.id,
  session: task.session,
  state: task.state,
  text: task.request.text,
  startedAt: task.startedAt,
  updatedAt,
  running: program.store().leaseHolder(task.session) !== undefined,
  ...(task.outcome && { outcome: task.outcome }),
});

/** Throws a Fault when there is no such task. */
export function namedTask(program: Program, id: string): TaskRecord {
  const task = program.store().task(id);
  if (task) return task;
  throw new Fault("task.unknown", Exit.usage, `There is no task ${id} in this project.`, "List them: fettle task list");
}

export function showTask(program: Program, id: string): TaskView {
  const store = program.store();
  const task = namedTask(program, id);
  const transitions = store.transitions(task.id);
  const open = store.openApprovals().find(({ request }) => request.session === task.session && request.kind !== "tool");
  const waits = open && !finished(task);
  return {
    ...rowOf(program, task, transitions.at(-1)?.at ?? task.startedAt),
    task,
    transitions,
    ...(waits && { waiting: { nonce: open.request.nonce, kind: open.request.kind ?? "tool" } }),
  };
}
