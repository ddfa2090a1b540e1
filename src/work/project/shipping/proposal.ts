// A phase at the remote: its commit is pushed, and a pull request opened, each behind the gate.
import { Fault } from "../../../base/fault.ts";
import { Exit, type ExitCode } from "../../../protocol/exit.ts";
import type { TaskRemote } from "../../../protocol/task.ts";
import { type NotPassed, pass } from "../../task/forge/passage.ts";
import { compareUrl, pullRequest } from "../../task/merge/pull-request.ts";
import { remoteOf, unaskable } from "../../task/forge/remote.ts";
import { proposeAct, pushAct } from "../../task/work/forge-acts.ts";
import { endText, succeeded } from "../../task/world/commands.ts";
import { hooksOf, pushInput } from "../../task/worktree/hooks.ts";
import { Scratch } from "../waves/scratch.ts";
import type { ProjectWork } from "../work/work.ts";

export interface Target {
  remote: TaskRemote & { url: string };
  /** What the other side calls the work. */
  branch: string;
  base: string;
}

/** `own`: how the work is called where the base itself is checked out. Throws a Fault where there is nowhere to go. */
export async function targetOf(work: ProjectWork, own: string, wanted: string | undefined): Promise<Target> {
  const { repository } = work;
  const here = await repository.branch();
  const remote = await remoteOf(repository, here ?? "", work.world.githubApi);
  if (!remote) throw fault("There is no remote to ship to.", "Name one: git remote add origin URL");
  if (remote.url === undefined) throw fault(`Nothing is shipped: ${unaskable(remote)}.`, "Give it an https address.");
  const base = wanted ?? (await usualBase(work, remote.name));
  if (base === undefined)
    throw fault("It is not known what the pull request goes into.", `Say it: ${work.command()} --base BRANCH`);
  return { remote: { ...remote, url: remote.url }, base, branch: here === undefined || here === base ? own : here };
}

const fault = (text: string, remedy: string): Fault => new Fault("project.ship", Exit.failed, text, remedy);

/** The branch that the remote's copy was made from, else the one of the usual name. */
export async function usualBase({ repository }: ProjectWork, remote: string): Promise<string | undefined> {
  const head = await repository.line("rev-parse", "--abbrev-ref", `${remote}/HEAD`);
  if (head?.startsWith(`${remote}/`) && head !== `${remote}/HEAD`) return head.slice(remote.length + 1);
  for (const name of ["main", "master"])
    for (const reference of [`refs/remotes/${remote}/${name}`, `refs/heads/${name}`])
      if ((await repository.commit(reference)) !== undefined) return name;
  return undefined;
}

/** What it came to: `url` is of the pull request. */
export interface Shipped {
  text: string;
  exit: ExitCode;
  url?: string;
}

interface Proposal {
  commit: string;
  title: string;
  body: string;
  draft: boolean;
}

/** May be done again: what is pushed stays pushed, and a pull request that is open is brought up to date. */
export async function ship(work: ProjectWork, target: Target, proposal: Proposal): Promise<Shipped> {
  const { remote, branch, base } = target;
  const { commit } = proposal;
  const refused = await hookRefuses(work, target, commit);
  if (refused !== undefined) return { text: `Nothing is pushed: ${refused}`, exit: Exit.failed };
  const { signal, world } = work;
  const about = { signal, origin: "project" as const };
  const pushed = await pass(world, pushAct(remote.url, branch, commit), {
    ...about,
    run: (hand) => hand.push(world.root),
  });
  if ("why" in pushed) return stood(work, "Nothing is pushed", pushed);
  if (pushed.done.kind === "refused") return { text: `Nothing is pushed: ${pushed.done.why}`, exit: Exit.failed };
  const there = pushed.done.kind === "unchanged" ? "is there already" : "is pushed";
  work.tell(`${commit.slice(0, 9)} ${there} as ${branch} at ${remote.name}`, true);
  if (pushed.done.said !== "") work.tell(pushed.done.said);
  const without = `${branch} is pushed to ${remote.name}, without a pull request`;
  if (!remote.forge) return { text: `${without}: ${remote.name} is no GitHub that fettle knows.`, exit: Exit.done };
  const { repository } = remote.forge;
  const { title, body, draft } = proposal;
  const opened = await pass(world, proposeAct(remote.forge, branch, base), {
    ...about,
    run: (hand) => pullRequest(hand, repository, { branch, base, title, body, draft }),
  });
  if ("why" in opened) return stood(work, `${without} (by hand: ${compareUrl(remote, base, branch) ?? ""})`, opened);
  const { url, fresh } = opened.done;
  return { text: `${fresh ? "Proposed" : "Brought up to date"}: ${url}`, exit: Exit.done, url };
}

function stood(work: ProjectWork, text: string, { why, waits }: NotPassed): Shipped {
  if (!waits) return { text: `${text}: ${why}.`, exit: Exit.failed };
  return {
    text: `${text}: ${why}. Somebody has to allow it: ${work.command()} --wait-approvals`,
    exit: Exit.unanswered,
  };
}

/** The repository's own hook sees exactly what is pushed, in the sandbox. */
async function hookRefuses(work: ProjectWork, { remote, branch }: Target, commit: string): Promise<string | undefined> {
  const hook = (await hooksOf(work.repository, remote)).find(({ name }) => name === "pre-push");
  if (!hook) return undefined;
  const scratch = await Scratch.open(work, { name: "ship", commit });
  try {
    const input = pushInput({ branch, commit });
    await scratch.put(input.name, input.text);
    const run = await scratch.run(hook.command);
    if (succeeded(run)) return undefined;
    return `the hook pre-push refused (${endText(run)}): ${run.output.trim().slice(-1500)}`;
  } finally {
    await scratch.close();
  }
}
