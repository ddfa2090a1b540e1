// Whether the base has moved where the repository comes from; never taken for fresh when it was not asked.
import type { TaskRecord } from "../../../protocol/task.ts";
import type { Step } from "../machine/machine.ts";
import type { Work } from "../work/work.ts";
import { lookAct } from "../work/forge-acts.ts";
import { pass } from "./passage.ts";
import { unaskable } from "./remote.ts";

export type Origin = NonNullable<TaskRecord["origin"]>;

interface OriginLook {
  origin: Origin;
  /** The base is no longer what the work was made on, with how to go on. */
  moved?: string;
  /** What was seen, for the evidence. */
  claim: string;
}

/** Undefined: there is no remote, so nothing else has a say about the base. */
export async function lookAtOrigin(work: Work): Promise<OriginLook | undefined> {
  const { envelope } = work.task;
  const remote = envelope?.remote;
  if (!envelope || !remote) return undefined;
  const { branch } = envelope.base;
  const unasked = (why: string): OriginLook => ({
    origin: { unasked: why },
    claim: `${remote.name} was not asked whether ${branch} has moved: ${why}`,
  });
  if (remote.url === undefined) return unasked(unaskable(remote));
  const { url } = remote;
  const asked = await pass(work.place, lookAct(url, branch), { signal: work.signal, run: (hand) => hand.branch() });
  if ("why" in asked) return unasked(asked.why);
  const tip = asked.done;
  if (tip === undefined) return { origin: { tip: null }, claim: `${remote.name} has no branch ${branch}` };
  const here = await work.repository.commit(tip);
  const behind = here !== undefined && (await isIn(work, tip, envelope.base.commit));
  const claim = `${branch} of ${remote.name} is where the plan was made, at ${tip.slice(0, 9)}`;
  if (tip === envelope.base.commit || behind) return { origin: { tip }, claim };
  return { origin: { tip }, claim, moved: movedText(work.task, { name: remote.name, tip }) };
}

/** Before anything is written: work on a base that is behind already would be for nothing. */
export async function staleFromTheStart(work: Work): Promise<Step | undefined> {
  if (work.task.worktree?.head !== work.task.envelope?.base.commit) return undefined;
  const look = await lookAtOrigin(work);
  if (look?.moved === undefined) return undefined;
  return { to: "FAILED_BY_STALE", patch: { origin: look.origin }, detail: `${look.moved}.` };
}

async function isIn({ repository }: Work, older: string, newer: string): Promise<boolean> {
  return (await repository.line("merge-base", "--is-ancestor", older, newer)) !== undefined;
}

function movedText({ envelope, worktree }: TaskRecord, { name, tip }: { name: string; tip: string }): string {
  const { branch = "", commit = "" } = envelope?.base ?? {};
  const own = worktree?.branch ?? "";
  const done = worktree !== undefined && worktree.head !== commit;
  return [
    `${branch} of ${name} is at ${tip.slice(0, 9)}, which is not in what the plan was made on (${commit.slice(0, 9)})`,
    "Take it in (git pull) and begin the task again",
    ...(done ? [`What was done is on ${own}; to keep it: git rebase ${name}/${branch} ${own}`] : []),
  ].join(". ");
}
