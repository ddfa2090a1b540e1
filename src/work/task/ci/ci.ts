// Which CI a task has, and what it says of the task's head.
import type { CiResult } from "../../../protocol/task.ts";
import { Repository } from "../world/git.ts";
import type { Work } from "../work/work.ts";
import { githubCi } from "./github.ts";
import { ciCommand, localCi } from "./local.ts";
import type { CiProvider } from "./provider.ts";

/** As the plan was approved: no other command is run, nothing else is asked. */
export function providerOf(work: Work): CiProvider | undefined {
  const { envelope } = work.task;
  const command = ciCommand(work);
  if (command !== "" && envelope?.commands.some(({ text }) => text === command)) return localCi(command);
  const { forge, url, ci } = envelope?.remote ?? {};
  return ci && forge && url !== undefined ? githubCi(forge, url) : undefined;
}

/** `worthIt`: nothing else has failed. */
export async function ciOf(work: Work, worthIt: boolean): Promise<CiResult> {
  const commit = (await new Repository(work.place.folder).commit("HEAD")) ?? "";
  const provider = providerOf(work);
  if (!provider) return { provider: "none", commit, status: "none", run: work.task.ci?.run ?? 0 };
  if (!worthIt) {
    const text = "it was not asked, since something else fails";
    return { provider: provider.name, commit, status: "failure", run: work.task.ci?.run ?? 0, text };
  }
  return provider.resultOf(work, commit);
}
