// The result as a proposal: its branch is pushed, and a pull request opened, or, where there is one already, brought up to date.
import path from "node:path";
import { z } from "zod";
import { writeAtomic } from "../../../io/files/bytes.ts";
import { ForgeFailure, type ForgeHand } from "../../../io/forge/spec.ts";
import type { TaskOutcome, Worktree } from "../../../protocol/task.ts";
import { refusalOf } from "../ci/github.ts";
import { conventionOf } from "../worktree/commit.ts";
import { subjectOf } from "../worktree/convention.ts";
import { beforePush } from "../worktree/hooks.ts";
import type { Step } from "../machine/machine.ts";
import { guard } from "./merge.ts";
import type { Work } from "../work/work.ts";
import { proposeAct, pushAct } from "../work/forge-acts.ts";
import { bodyOf } from "./body.ts";
import { pass } from "../forge/passage.ts";
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
  const compare = compareUrl(work, branch);
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

const Pulls = z.array(z.object({ number: z.number(), html_url: z.string(), base: z.object({ ref: z.string() }) }));
const Pull = z.object({ number: z.number(), html_url: z.string() });

type Opened = { url: string; fresh: boolean } | { why: string };

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

interface Request {
  branch: string;
  base: string;
  title: string;
  body: string;
}

async function pullRequest(hand: ForgeHand, repository: string, request: Request): Promise<Opened> {
  if (!(await hand.authorized()))
    throw new ForgeFailure("There is no token: fettle login github, or GITHUB_TOKEN in the environment.");
  const { branch, base, title, body } = request;
  const owner = repository.split("/")[0] ?? "";
  const query = new URLSearchParams({ state: "open", head: `${owner}:${branch}`, per_page: "10" });
  const known = await told(hand, { method: "GET", path: `/pulls?${query.toString()}` }, Pulls);
  const same = known.find((pull) => pull.base.ref === base) ?? known[0];
  if (same) {
    await told(hand, { method: "PATCH", path: `/pulls/${same.number}`, body: { title, body } }, Pull);
    return { url: same.html_url, fresh: false };
  }
  const made = await told(hand, { method: "POST", path: "/pulls", body: { title, body, head: branch, base } }, Pull);
  return { url: made.html_url, fresh: true };
}

async function told<T>(hand: ForgeHand, request: Parameters<ForgeHand["request"]>[0], shape: z.ZodType<T>): Promise<T> {
  const { status, json } = await hand.request(request);
  if (status !== 200 && status !== 201) throw new ForgeFailure(await refusalOf(hand, status, json));
  const read = shape.safeParse(json);
  if (read.success) return read.data;
  throw new ForgeFailure("GitHub's answer about the pull request is of another shape than its description.");
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

function compareUrl({ task }: Work, branch: string): string | undefined {
  const { remote, base } = task.envelope ?? {};
  if (!remote?.forge || !base) return undefined;
  const { web, repository } = remote.forge;
  return `${web}/${repository}/compare/${encodeURIComponent(base.branch)}...${branch.split("/").map(encodeURIComponent).join("/")}?expand=1`;
}
