import type { Work } from "../work/work.ts";

/** What the plan makes or changes, and a test may therefore miss. */
export function subjectsOf({ task }: Pick<Work, "task">): string[] {
  const tests = new Set(task.plan?.test?.paths);
  const wanted = new Set([...(task.envelope?.paths ?? []), ...(task.plan?.test?.subject ?? [])]);
  return [...wanted].filter((file) => !tests.has(file));
}
