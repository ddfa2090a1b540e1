// An issue of a forge as the words of a task: title, body and comments. What others wrote is data.
import { z } from "zod";
import { ForgeFailure, type ForgeHand } from "../../../io/forge/spec.ts";
import { refusalOf } from "../ci/github.ts";

interface IssueAddress {
  /** Of the repository at the API. */
  url: string;
  number: number;
}

/** Of github.com, or of the person's own GitHub; undefined: the address is of something else. */
export function issueAddress(given: string, githubApi: string | undefined): IssueAddress | undefined {
  if (!URL.canParse(given)) return undefined;
  const { host, pathname, protocol } = new URL(given);
  const found = /^\/([\w.-]+\/[\w.-]+)\/(?:issues|pull)\/(\d{1,9})\/?$/.exec(pathname);
  if (!found?.[1] || !found[2]) return undefined;
  const api = apiOf(host, protocol, githubApi);
  return api === undefined ? undefined : { url: `${api}/repos/${found[1]}`, number: Number(found[2]) };
}

function apiOf(host: string, protocol: string, githubApi: string | undefined): string | undefined {
  if (host === "github.com" || host === "www.github.com") return "https://api.github.com";
  if (githubApi === undefined || !URL.canParse(githubApi)) return undefined;
  const api = new URL(githubApi);
  return api.host.replace(/^api\./, "") === host && api.protocol === protocol
    ? githubApi.replace(/\/+$/, "")
    : undefined;
}

const text = z.string().nullish();
const Issue = z.object({ title: text, body: text, pull_request: z.unknown().optional() });
const Comments = z.array(z.object({ body: text, user: z.object({ login: z.string() }).nullish() }));

const mostComments = 100;
const longest = 100_000;

/** Rejects with a ForgeFailure that says in a sentence what stood in the way. */
export async function askIssue(hand: ForgeHand, number: number): Promise<string> {
  const issue = await hand.request({ method: "GET", path: `/issues/${number}` });
  if (issue.status === 410) throw new ForgeFailure(`The issue ${number} was deleted.`);
  if (issue.status !== 200) throw new ForgeFailure(await refusalOf(hand, issue.status, issue.json));
  const comments = await hand.request({ method: "GET", path: `/issues/${number}/comments?per_page=${mostComments}` });
  return issueText(issue.json, comments.status === 200 ? comments.json : []);
}

/** Throws a ForgeFailure for what is no issue. */
export function issueText(json: unknown, more?: unknown): string {
  const read = Issue.safeParse(json);
  if (!read.success) throw new ForgeFailure("That is no issue: it needs JSON with a title or a body.");
  const { title, body, pull_request: pull } = read.data;
  if (pull !== undefined && pull !== null) throw new ForgeFailure("That is a pull request, not an issue.");
  const own = [title, body].flatMap((part) => (part?.trim() ? [part.trim()] : []));
  if (own.length === 0) throw new ForgeFailure("That is no issue: it needs JSON with a title or a body.");
  const listed = Comments.safeParse(more ?? (json as { comments?: unknown }).comments);
  const said = (listed.success ? listed.data : []).flatMap(({ user, body: words }) =>
    words?.trim() ? [`${user?.login ?? "somebody"} wrote:\n${words.trim()}`] : [],
  );
  return [...own, ...said].join("\n\n").slice(0, longest);
}
