// Whether the base has moved where the repository comes from; never taken for fresh when it was not asked.
import type { TaskRecord } from "../../../protocol/task.ts";
import type { Work } from "../work.ts";
import { lookAct } from "./acts.ts";
import { pass } from "./passage.ts";
import { unaskable } from "./remote.ts";

export type Origin = NonNullable<TaskRecord["origin"]>;

export interface OriginLook {
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

async function isIn({ repository }: Work, older: string, newer: string): Promise<boolean> {
  return (await repository.line("merge-base", "--is-ancestor", older, newer)) !== undefined;
}

function movedText({ envelope, worktree }: TaskRecord, { name, tip }: { name: string; tip: string }): string {
  const branch = envelope?.base.branch ?? "";
  return (
    `${branch} of ${name} has moved to ${tip.slice(0, 9)} since the plan was made. ` +
    `Fetch it (git pull), then begin the task again; what was done is on ${worktree?.branch ?? "its branch"}` +
    `, to be rebased with: git rebase ${name}/${branch} ${worktree?.branch ?? ""}`.trimEnd()
  );
}
