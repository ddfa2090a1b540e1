// Another process that works on a task is asked to leave it, so that this one can go on.
import { Fault } from "../../base/fault.ts";
import { Exit } from "../../protocol/exit.ts";
import type { TaskRecord } from "../../protocol/task.ts";
import { endRun } from "../program/runs.ts";
import type { Program } from "../program/program.ts";

const patienceMs = 20_000;

/** The task stays where it is. Throws a Fault where the process does not end. */
export async function endOther(program: Program, { session }: TaskRecord): Promise<void> {
  if (program.store().leaseHolder(session) === undefined) return;
  const project = program.project.root.split("/").at(-1) ?? "";
  endRun(program, { project, session, force: false });
  const until = Date.now() + patienceMs;
  while (program.store().leaseHolder(session) !== undefined) {
    if (Date.now() > until)
      throw new Fault(
        "task.busy",
        Exit.failed,
        "The process that works on the task does not end.",
        "fettle stop --force",
      );
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
