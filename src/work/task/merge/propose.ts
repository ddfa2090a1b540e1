// The result as a proposal: its branch is pushed, and a pull request opened, or, where there is one already, brought up to date.
import path from "node:path";
import { writeAtomic } from "../../../io/files/bytes.ts";
import type { TaskOutcome, Worktree } from "../../../protocol/task.ts";
import { conventionOf } from "../worktree/commit.ts";
import { subjectOf } from "../worktree/convention.ts";
import { beforePush } from "../worktree/hooks.ts";
import type { Step } from "../machine/machine.ts";
import { guard } from "./merge.ts";
import type { Work } from "../work/work.ts";
import { proposeAct, pushAct } from "../work/forge-acts.ts";
import { bodyOf } from "./body.ts";
import { pass } from "../forge/passage.ts";
import { compareUrl, type OpenedPull, pullRequest } from "./pull-request.ts";
import { unaskable } from "../forge/remote.ts";

/** May be done again after a crash: what is pushed stays pushed, and a pull request that is open is only changed. */
export async function proposeWork(work: Work, worktree: Worktree): Promise<Step> {
  const { envelope } = work.task;
  const remote = envelope?.remote;
  if (!envelope || !remote) throw new Error("a plan without a remote proposes nothing");
  const guarded = await guard(work);
  if ("stop" in guarded) return guarded.stop;
  const { branch, head } = worktree;
  const origin = guarded.origin && { origin: guarded.origin };
  const ended = (outcome: TaskOutcome): Step => ({
    to: "COMPLETE",
    patch: { outcome, ...origin },
    detail: outcome.text,
  });
  const body = work.place.firewall.redact(bodyOf(work.task, work.world.ledgerHead())).text;
  const file = path.join(work.world.worktrees, `${work.task.id}.md`);
  await writeAtomic(file, body, { root: work.world.worktrees });
  const by = `git push ${remote.name} ${branch}`;
  const pushed = await push(work, worktree);
  if (pushed !== undefined) {
    const text = `Not pushed: ${pushed}. The work is on ${branch}; push it with: ${by}. The text for a pull request: ${file}`;
    return ended({ kind: "left", text, branch, commit: head, undone: true });
  }
  const opened = await open(work, { branch, body });
  if ("url" in opened) {
    const text = `${opened.fresh ? "Proposed" : "Brought up to date"}: ${opened.url}`;
    return ended({ kind: "proposed", text, branch, commit: head, url: opened.url });
  }
  const compare = compareUrl(remote, envelope.base.branch, branch);
  const how = compare === undefined ? "" : ` Open it: ${compare}.`;
  const text = `${branch} is pushed to ${remote.name}, without a pull request: ${opened.why}.${how} Its text: ${file}`;
  return ended({ kind: "left", text, branch, commit: head });
}

/** Undefined: it is there. */
async function push(work: Work, { branch, head }: Worktree): Promise<string | undefined> {
  const remote = work.task.envelope?.remote;
  if (remote?.url === undefined) return remote ? `${unaskable(remote)}` : "there is no remote";
  const { ci } = work.task;
  const before = ci?.provider === "github" && ci.status === "success" ? { before: ci.commit } : {};
  const refused = await beforePush(work, { branch, commit: head, ...before });
  if (refused) return refused.refused;
  const act = pushAct(remote.url, branch, head);
  const end = await pass(work.place, act, { signal: work.signal, run: (hand) => hand.push(work.place.folder) });
  if ("why" in end) return end.why;
  if (end.done.kind === "refused") return end.done.why;
  work.tell(
    end.done.kind === "unchanged" ? `${branch} is at ${remote.name} already` : `pushed to ${remote.name}`,
    true,
  );
  if (end.done.said !== "") work.tell(end.done.said);
  return undefined;
}

type Opened = OpenedPull | { why: string };

async function open(work: Work, { branch, body }: { branch: string; body: string }): Promise<Opened> {
  const { envelope } = work.task;
  const { forge, name } = envelope?.remote ?? {};
  if (!envelope || !forge) return { why: `${name ?? "the remote"} is no GitHub that fettle knows` };
  const title = work.place.firewall.redact(await titleOf(work)).text;
  const request = { branch, base: envelope.base.branch, title, body };
  const end = await pass(work.place, proposeAct(forge, branch, envelope.base.branch), {
    signal: work.signal,
    run: (hand) => pullRequest(hand, forge.repository, request),
  });
  return "why" in end ? end : end.done;
}

async function titleOf({ task, repository }: Work): Promise<string> {
  const { intent, envelope } = task;
  const kind = intent?.docsOnly
    ? "docs"
    : intent?.intent === "fix" || intent?.intent === "refactor"
      ? intent.intent
      : "feat";
  const change = { kind, summary: envelope?.plan.summary ?? "", paths: envelope?.paths ?? [] } as const;
  return subjectOf(await conventionOf(repository), change);
}
