// GitHub's CI of a commit that is pushed for it: its reports are asked for until they are complete.
import type { z } from "zod";
import { ForgeFailure, type ForgeHand } from "../../../io/forge/spec.ts";
import type { CiResult, TaskRemote } from "../../../protocol/task.ts";
import { ciAct, pushAct } from "../work/forge-acts.ts";
import { pass } from "../forge/passage.ts";
import { beforePush } from "../worktree/hooks.ts";
import { branchName } from "../work/isolation.ts";
import { Stopped, type Work } from "../work/work.ts";
import { CheckRuns, type CiLook, CombinedStatus, judgeCi, type Reports, WorkflowRuns } from "./judge.ts";
import type { CiProvider } from "./provider.ts";

type Forge = NonNullable<TaskRemote["forge"]>;

export const githubCi = (forge: Forge, url: string): CiProvider => ({
  name: "github",
  async resultOf(work, commit) {
    const unknown = (text: string): CiResult => ({ provider: "github", commit, status: "unknown", run: 0, text });
    const branch = branchName(work.task);
    const refused = await beforePush(work, { branch, commit });
    if (refused) return unknown(`the branch was not pushed for its CI: ${refused.refused}`);
    const act = pushAct(url, branch, commit);
    const pushed = await pass(work.place, act, { signal: work.signal, run: (hand) => hand.push(work.place.folder) });
    if ("why" in pushed) return unknown(`the branch was not pushed for its CI: ${pushed.why}`);
    if (pushed.done.kind === "refused") return unknown(`the branch was not pushed for its CI: ${pushed.done.why}`);
    const end = await pass(work.place, ciAct(forge), {
      signal: work.signal,
      run: (hand) => work.elsewhere(() => waited(work, hand, commit)),
    });
    if ("why" in end) return unknown(end.why);
    const { status, run, text, url: link } = end.done;
    const settled = status === "success" || status === "failure" ? status : "unknown";
    return { provider: "github", commit, status: settled, run, text, ...(link !== undefined && { url: link }) };
  },
  async overtaken(work, { commit, run }) {
    const now = await pass(work.place, ciAct(forge), {
      signal: work.signal,
      run: (hand) => lookAt(hand, commit),
    });
    if ("why" in now) return `GitHub was not asked whether its CI still passes: ${now.why}`;
    if (now.done.status === "success") return undefined;
    return `a newer run of the CI than ${run} does not pass: ${now.done.text}`;
  },
});

/** Seconds between two looks: runs take a moment to appear, and minutes to end. */
const pauses = [1, 2, 4, 8, 15];
/** A push without any workflow has no run, ever. */
const appearMs = 90_000;

async function waited(work: Work, hand: ForgeHand, commit: string): Promise<CiLook> {
  const { clock } = work.world;
  const begun = clock();
  let until = begun + work.world.settings.ciMs;
  let told = "";
  for (let count = 0; ; count += 1) {
    const look = await lookAt(hand, commit);
    if (look.status === "success" || look.status === "failure") return look;
    const text = look.status === "nothing" ? `waiting for a run of ${commit.slice(0, 9)}` : `the CI runs: ${look.text}`;
    if (text !== told) work.tell(text);
    told = text;
    if (look.status === "nothing" && clock() - begun > Math.min(appearMs, work.world.settings.ciMs)) return look;
    if (clock() > until) {
      if (!(await longer(work, look))) return { ...look, text: `the CI did not end in time (${look.text})` };
      until = clock() + work.world.settings.ciMs;
    }
    await pause(1000 * (pauses[Math.min(count, pauses.length - 1)] ?? 15), work.signal);
  }
}

async function longer(work: Work, { text }: CiLook): Promise<boolean> {
  const minutes = Math.round(work.world.settings.ciMs / 6000) / 10;
  const question = `The CI has not ended in ${minutes} min (${text}). Wait as long again?`;
  return (await work.question(question, ["wait", "stop"]))?.trim().toLowerCase().startsWith("w") === true;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(new Stopped());
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
  });
}

async function lookAt(hand: ForgeHand, commit: string): Promise<CiLook> {
  const [runs, checks, status] = await Promise.all([
    read(hand, `/actions/runs?head_sha=${commit}&per_page=100`, WorkflowRuns),
    read(hand, `/commits/${commit}/check-runs?per_page=100&filter=latest`, CheckRuns),
    read(hand, `/commits/${commit}/status?per_page=100`, CombinedStatus),
  ]);
  const reports: Reports = { runs: runs.workflow_runs, checks: checks.check_runs, status };
  return judgeCi(commit, reports);
}

async function read<T>(hand: ForgeHand, path: string, shape: z.ZodType<T>): Promise<T> {
  const { status, json } = await hand.request({ method: "GET", path });
  if (status !== 200) throw new ForgeFailure(await refusalOf(hand, status, json));
  const found = shape.safeParse(json);
  if (found.success) return found.data;
  throw new ForgeFailure(`GitHub's answer to ${path.replace(/\?.*/, "")} is of another shape than its description.`);
}

/** In a sentence: what the status means, and what to do. */
export async function refusalOf(hand: ForgeHand, status: number, json: unknown): Promise<string> {
  const said = messageOf(json);
  const tail = said === undefined ? "" : ` (${said})`;
  const known = await hand.authorized();
  const token = known ? "the token may not do that" : "it wants a token: fettle login github, or GITHUB_TOKEN";
  if (status === 401) return `GitHub does not know the caller${tail}: ${known ? "the token is not valid" : token}.`;
  if (status === 403 || status === 429) return `GitHub refuses${tail}: ${token}, or it was asked too often.`;
  if (status === 404) return `GitHub knows no such thing, or does not show it${tail}: ${token}.`;
  return `GitHub answers with status ${status}${tail}.`;
}

function messageOf(json: unknown): string | undefined {
  if (typeof json !== "object" || json === null || !("message" in json)) return undefined;
  const { message, errors } = json as { message: unknown; errors?: unknown };
  if (typeof message !== "string") return undefined;
  const details = Array.isArray(errors)
    ? errors.flatMap((each: unknown) =>
        typeof each === "object" && each !== null && "message" in each ? [String(each.message)] : [],
      )
    : [];
  return [message, ...details].join("; ").slice(0, 300);
}
