// Commits of a task: only what the plan and its amendments name, in the repository's own manner, with a trailer.
import { termsOf } from "./envelope.ts";
import { authorship, Repository } from "./git.ts";
import type { Work } from "./work.ts";

const looked = 30;

/** `feat: add x` where most of the history is written so, else a plain sentence. */
async function subject(repository: Repository, kind: string, summary: string): Promise<string> {
  const log = (await repository.line("log", `-${looked}`, "--no-merges", "--format=%s")) ?? "";
  const lines = log.split("\n").filter(Boolean);
  const conventional = lines.filter((line) =>
    /^(?:feat|fix|chore|docs|test|refactor|build|ci|perf|style)(?:\([^)]*\))?!?: /.test(line),
  );
  const [first = ""] = summary.trim().split("\n");
  const short = first.replace(/\.$/, "");
  const cut = short.length > 68 ? `${short.slice(0, 67)}…` : short;
  if (lines.length === 0 || conventional.length * 2 < lines.length) return kind === "test" ? `Test: ${cut}` : cut;
  return `${kind}: ${cut.charAt(0).toLowerCase()}${cut.slice(1)}`;
}

const kinds: Readonly<Record<string, string>> = { fix: "fix", refactor: "refactor" };

export function trailers({ task }: Pick<Work, "task">): string {
  return `Fettle-Task: ${task.id}\nFettle-Envelope: ${task.envelope?.digest ?? ""}`;
}

/** What the commit will hold, as its hooks look at it. */
export async function stageWork({ task, place }: Work): Promise<string[]> {
  const repository = new Repository(place.folder);
  const planned = new Set(termsOf(task)?.paths);
  const paths = (await repository.changed(true)).map(({ path }) => path).filter((path) => planned.has(path));
  if (paths.length > 0) await repository.run(["add", "--all", "--", ...paths]);
  return paths;
}

/** The new head; the old one when there is nothing to commit. */
export async function commitWork(work: Work, what: "test" | "work"): Promise<string> {
  const { worktree, intent, envelope } = work.task;
  if (!worktree || !envelope) throw new Error("a task commits in its worktree");
  const repository = new Repository(worktree.folder);
  const paths = await stageWork(work);
  if (paths.length > 0) {
    const kind = what === "test" ? "test" : intent?.docsOnly ? "docs" : (kinds[intent?.intent ?? ""] ?? "feat");
    const message = `${await subject(work.repository, kind, envelope.plan.summary)}\n\n${trailers(work)}\n`;
    const env = authorship(await work.repository.author(work.world.userHome));
    await repository.run(["commit", "--quiet", "--no-verify", "--file=-"], { input: message, env });
  }
  return (await repository.commit("HEAD")) ?? worktree.head;
}
