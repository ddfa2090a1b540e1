// The project's own CI, as far as it can be asked here: a script that says yes or no for exactly this head.
import type { CiResult } from "../../../protocol/task.ts";
import { succeeded } from "../commands.ts";
import { Repository } from "../git.ts";
import type { Work } from "../work.ts";

/** The newest run for a commit is the one that counts: `run` numbers them. `worthIt`: nothing else has failed. */
export async function ciOf(work: Work, worthIt: boolean): Promise<CiResult> {
  const commit = (await new Repository(work.place.folder).commit("HEAD")) ?? "";
  const run = (work.task.ci?.run ?? 0) + 1;
  const command = work.task.envelope?.commands.find(({ text }) => text === ciCommand(work))?.text;
  if (command === undefined) return { provider: "none", commit, status: "none", run };
  if (!worthIt) return { provider: "local", commit, status: "failure", run };
  return { provider: "local", commit, status: succeeded(await work.run(command)) ? "success" : "failure", run };
}

export const ciCommand = ({ task, world }: Pick<Work, "task" | "world">): string =>
  world.settings.ciCommand || (task.map?.ci.includes(".ci/run") ? "sh .ci/run" : "");
