// What the plan says of the remote: where it is, and what fettle does there without asking again.
import { columns } from "../machine/page.ts";
import type { Envelope } from "../../../protocol/task.ts";
import type { Work } from "../work/work.ts";
import { remoteOf, unaskable } from "./remote.ts";

type Planned = NonNullable<Envelope["remote"]>;

export async function plannedRemote(work: Work, branch: string): Promise<Planned | undefined> {
  const { settings } = work.world;
  const remote = await remoteOf(work.repository, branch, settings.githubApi);
  if (!remote) return undefined;
  const ci = settings.ci === "github" && remote.forge !== undefined && remote.url !== undefined;
  return { ...remote, ci, proposes: work.task.request.outcome === "propose" };
}

/** Why the plan cannot be carried out with the remote that there is. */
export function remoteProblem(work: Work, remote: Planned | undefined): string | undefined {
  const wantsCi = work.world.settings.ci === "github";
  if (wantsCi && !remote?.ci)
    return `task.ci is github, and ${remote ? `${remote.name} (${remote.given}) is no repository of a GitHub that fettle knows` : "there is no remote"}. Set task.ci otherwise, or forge.github_api to the API of your own.`;
  if (work.task.request.outcome === "propose" && !remote)
    return "There is no remote to propose to. Name one: git remote add origin URL";
  return undefined;
}

/** As a person reads it before the plan is approved. */
export function remoteLines({ remote, base, hooks = [] }: Envelope): string[] {
  const names = [...new Set(hooks.map(({ name, path }) => columns(name, path)))];
  const hooked =
    names.length === 0 ? [] : ["Hooks, in the sandbox without network", ...names.map((name) => `  ${name}`)];
  if (!remote) return hooked;
  const { name, url, forge, ci, proposes } = remote;
  const acts = [
    url === undefined
      ? `is not asked whether ${base.branch} moves: ${unaskable(remote)}`
      : `is asked whether ${base.branch} has moved (${url})`,
    ...(ci && forge
      ? [`gets the branch before you have seen it, so that its CI runs; ${forge.api} is asked for that`]
      : []),
    ...(proposes
      ? ["gets the branch when you have approved the result, and a pull request where there is a token"]
      : []),
  ];
  return [`Remote ${name}`, ...acts.map((act) => `  ${act}`), ...hooked];
}
