// A pull request at GitHub: opened, or, where the branch has one already, brought up to date.
import { z } from "zod";
import { ForgeFailure, type ForgeHand } from "../../../io/forge/spec.ts";
import type { TaskRemote } from "../../../protocol/task.ts";
import { refusalOf } from "../ci/github.ts";

const Pulls = z.array(z.object({ number: z.number(), html_url: z.string(), base: z.object({ ref: z.string() }) }));
const Pull = z.object({ number: z.number(), html_url: z.string() });

export interface PullRequest {
  branch: string;
  base: string;
  title: string;
  body: string;
  /** Of a new one only: whether one that is there is a draft is its people's business. */
  draft?: boolean;
}

export interface OpenedPull {
  url: string;
  fresh: boolean;
}

export async function pullRequest(hand: ForgeHand, repository: string, request: PullRequest): Promise<OpenedPull> {
  if (!(await hand.authorized()))
    throw new ForgeFailure("There is no token: fettle login github, or GITHUB_TOKEN in the environment.");
  const { branch, base, title, body, draft } = request;
  const owner = repository.split("/")[0] ?? "";
  const query = new URLSearchParams({ state: "open", head: `${owner}:${branch}`, per_page: "10" });
  const known = await told(hand, { method: "GET", path: `/pulls?${query.toString()}` }, Pulls);
  const same = known.find((pull) => pull.base.ref === base) ?? known[0];
  if (same) {
    await told(hand, { method: "PATCH", path: `/pulls/${same.number}`, body: { title, body } }, Pull);
    return { url: same.html_url, fresh: false };
  }
  const asked = { title, body, head: branch, base, ...(draft === true && { draft }) };
  const made = await told(hand, { method: "POST", path: "/pulls", body: asked }, Pull);
  return { url: made.html_url, fresh: true };
}

async function told<T>(hand: ForgeHand, request: Parameters<ForgeHand["request"]>[0], shape: z.ZodType<T>): Promise<T> {
  const { status, json } = await hand.request(request);
  if (status !== 200 && status !== 201) throw new ForgeFailure(await refusalOf(hand, status, json));
  const read = shape.safeParse(json);
  if (read.success) return read.data;
  throw new ForgeFailure("GitHub's answer about the pull request is of another shape than its description.");
}

/** Where a person opens it by hand. */
export function compareUrl({ forge }: Pick<TaskRemote, "forge">, base: string, branch: string): string | undefined {
  if (!forge) return undefined;
  const head = branch.split("/").map(encodeURIComponent).join("/");
  return `${forge.web}/${forge.repository}/compare/${encodeURIComponent(base)}...${head}?expand=1`;
}
