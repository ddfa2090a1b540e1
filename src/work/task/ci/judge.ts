// What GitHub's workflow runs, check runs and statuses say of one commit. Pure: the newest of each that is of this commit counts.
import { z } from "zod";
import { entryOf } from "../../../base/entry.ts";

/** As in GitHub's published REST description (test/task/forge-shapes.ts names it); what is not used is left out. */
export const WorkflowRuns = z.object({
  workflow_runs: z.array(
    z.object({
      id: z.number(),
      name: z.string().nullish(),
      workflow_id: z.number(),
      run_number: z.number(),
      run_attempt: z.number().optional(),
      head_sha: z.string(),
      status: z.string().nullable(),
      conclusion: z.string().nullable(),
      html_url: z.string(),
    }),
  ),
});
export const CheckRuns = z.object({
  check_runs: z.array(
    z.object({
      id: z.number(),
      name: z.string(),
      head_sha: z.string(),
      status: z.string(),
      conclusion: z.string().nullable(),
      html_url: z.string().nullable(),
      app: z.object({ slug: z.string().optional() }).nullish(),
    }),
  ),
});
export const CombinedStatus = z.object({
  sha: z.string(),
  statuses: z.array(
    z.object({ id: z.number(), context: z.string(), state: z.string(), target_url: z.string().nullable() }),
  ),
});

export interface Reports {
  runs: z.infer<typeof WorkflowRuns>["workflow_runs"];
  checks: z.infer<typeof CheckRuns>["check_runs"];
  status: z.infer<typeof CombinedStatus>;
}

type State = "success" | "failure" | "pending" | "skipped";

interface One {
  name: string;
  id: number;
  state: State;
  /** In GitHub's word. */
  word: string;
  url: string | undefined;
}

export interface CiLook {
  /** `nothing`: there is no report of this commit at all. */
  status: "success" | "failure" | "pending" | "nothing";
  run: number;
  text: string;
  url?: string;
}

const ended: Readonly<Record<string, State>> = { success: "success", neutral: "skipped", skipped: "skipped" };

const stateOf = (status: string | null, conclusion: string | null): State =>
  status !== "completed" ? "pending" : (ended[conclusion ?? ""] ?? "failure");

export function judgeCi(commit: string, reports: Reports): CiLook {
  const all = [...workflows(commit, reports), ...checks(commit, reports), ...statuses(commit, reports)];
  const run = Math.max(0, ...all.map(({ id }) => id));
  const named = (state: State) => all.filter((one) => one.state === state);
  const told = (list: readonly One[]) => list.map(({ name, word }) => `${name}: ${word}`).join(", ");
  const [bad] = named("failure");
  if (bad)
    return { status: "failure", run, text: told(named("failure")), ...(bad.url !== undefined && { url: bad.url }) };
  const [open] = named("pending");
  if (open)
    return { status: "pending", run, text: told(named("pending")), ...(open.url !== undefined && { url: open.url }) };
  const [good] = named("success");
  if (good) return { status: "success", run, text: told(all), ...(good.url !== undefined && { url: good.url }) };
  const [idle] = named("skipped");
  if (!idle) return { status: "nothing", run, text: "there is no run for this commit" };
  const text = `nothing was run for this commit (${told(all)}), so nothing is shown`;
  return { status: "failure", run, text, ...(idle.url !== undefined && { url: idle.url }) };
}

/** Of each workflow the run with the highest number, and of that the last attempt. */
function workflows(commit: string, { runs }: Reports): One[] {
  const newest = new Map<number, Reports["runs"][number]>();
  const rank = (run: Reports["runs"][number]) => [run.run_number, run.run_attempt ?? 1, run.id];
  for (const run of runs.filter(({ head_sha: head }) => head === commit)) {
    const known = newest.get(run.workflow_id);
    if (!known || later(rank(run), rank(known))) newest.set(run.workflow_id, run);
  }
  return [...newest.values()].map(({ name, workflow_id: workflow, id, status, conclusion, html_url: url }) => ({
    ...{ name: name ?? `workflow ${workflow}`, id, state: stateOf(status, conclusion), url },
    word: conclusion ?? status ?? "unknown",
  }));
}

function later(one: readonly number[], other: readonly number[]): boolean {
  const at = one.findIndex((value, index) => value !== other[index]);
  return at >= 0 && (one[at] ?? 0) > (other[at] ?? 0);
}

/** Those of Actions itself are jobs of its runs, which are looked at whole. */
function checks(commit: string, { checks: all }: Reports): One[] {
  const newest = new Map<string, Reports["checks"][number]>();
  for (const check of all) {
    const app = check.app?.slug ?? "";
    if (check.head_sha !== commit || app === "github-actions") continue;
    const known = newest.get(`${app} ${check.name}`);
    if (!known || check.id > known.id) newest.set(`${app} ${check.name}`, check);
  }
  return [...newest.values()].map(({ name, id, status, conclusion, html_url: url }) => ({
    ...{ name, id, state: stateOf(status, conclusion), url: url ?? undefined, word: conclusion ?? status },
  }));
}

const statusStates: Readonly<Record<string, State>> = { success: "success", pending: "pending" };

/** The combined answer holds the newest of each context; it is `pending` for a commit without any. */
function statuses(commit: string, { status }: Reports): One[] {
  if (status.sha !== commit) return [];
  return status.statuses.map(({ id, context, state, target_url: url }) => ({
    ...{ name: context, id, state: entryOf(statusStates, state) ?? "failure", word: state, url: url ?? undefined },
  }));
}
