// What linters hold against files that nobody may change once they are locked: it is mended by whoever wrote them.
import type { TaskRecord } from "../../../protocol/task.ts";
import { telling } from "../healing/telling.ts";
import { floorOf, isSame, leftOutAsRed } from "../machine/floor.ts";
import { endText, succeeded } from "../world/commands.ts";
import type { Work } from "../work/work.ts";

const shown = 3000;

/** Of `paths`, those that an output names. */
export const namedIn = (output: string, paths: readonly string[]): string[] =>
  paths.filter((file) => output.includes(file.split("/").slice(-2).join("/")));

/** The repository's own linters that work on the base, and the plan's. */
function lintersOf(task: TaskRecord): string[] {
  const own = floorOf(task).filter(({ kind, result }) => kind === "lint" && result === "works");
  const planned = task.envelope?.plan.commands.lint;
  return [
    ...own.map(({ run }) => run),
    ...(planned !== undefined && !own.some((check) => isSame(check, planned)) && !leftOutAsRed(task, planned)
      ? [planned]
      : []),
  ];
}

export const isLinter = (task: TaskRecord, command: string): boolean => lintersOf(task).includes(command);

/** What a linter says that names one of these files; undefined when all are content with them. */
export async function lintFault(work: Work, paths: readonly string[]): Promise<string | undefined> {
  for (const command of lintersOf(work.task)) {
    const run = await work.run(command, { mayFail: true });
    if (!succeeded(run) && namedIn(run.output, paths).length > 0)
      return `${endText(run)}\n${telling(run.output, shown)}`;
  }
  return undefined;
}
