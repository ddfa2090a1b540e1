// What the history of the repository says of a project: which commits belong to a plan or a phase, and what stands in each.
import type { ProjectPhase } from "../../../protocol/project.ts";
import { planKey } from "../facts/check.ts";
import { splitPhase } from "../formats/phase-number.ts";
import type { Repository } from "../../task/world/git.ts";
import { planInStream, streamIn } from "../formats/workstream.ts";

export interface PastCommit {
  id: string;
  parents: string[];
  subject: string;
  /** As `2026-01-31T12:00:00+00:00`. */
  at: string;
  /** Below its first parent. */
  files: string[];
}

const most = 2_000;
const mark = "\u0001";

/** Along the first parents, newest first: what a plan's worktree did stands in the merge that took it. */
export async function historyOf(repository: Repository, range = "HEAD"): Promise<PastCommit[]> {
  const format = `${mark}%H%x00%P%x00%aI%x00%s%x00`;
  const args = [
    "log",
    "--first-parent",
    "--diff-merges=first-parent",
    `--max-count=${most}`,
    "-z",
    "--name-only",
  ] as const;
  const out = await repository.run([...args, `--format=${format}`, range, "--"]);
  return out
    .split(mark)
    .filter((part) => part.includes("\0"))
    .map((part) => {
      const [id = "", parents = "", at = "", subject = "", ...files] = part.split("\0");
      return {
        ...{ id, parents: parents.split(" ").filter(Boolean), at, subject },
        files: files.map((file) => file.replace(/^\n+/, "")).filter(Boolean),
      };
    });
}

export const isPlanning = ({ files }: PastCommit): boolean => files.every((file) => file.startsWith(".planning/"));

/** `Integrate plan 01-02` is fettle's own, with `auth/01-02` of a workstream; `feat(01-02): …` is that of GSD. */
function planOf(subject: string): string | undefined {
  const id = /^Integrate plan (\S+)$/.exec(subject)?.[1] ?? /^\w+\(([\w.]+-\d+)\)!?:/.exec(subject)?.[1];
  const [, stream, plan = ""] = /^(?:(.*)\/)?([^/]*)$/.exec(id ?? "") ?? [];
  return id === undefined ? undefined : planInStream(stream, planKey(plan));
}

const phaseOf = (subject: string): string | undefined => {
  const scope = /^\w+\((?:phase-)?0*([\w.]+)\)!?:/.exec(subject)?.[1];
  return scope === undefined ? undefined : splitPhase(scope)?.number;
};

/** Those that changed more than planning files, and that nobody has taken back since; newest first. */
export function commitsOf(
  history: readonly PastCommit[],
  { plans, number, folder = "" }: Pick<ProjectPhase, "plans" | "number" | "folder">,
  whole: boolean,
): PastCommit[] {
  const stream = [folder, ...plans.map(({ path }) => path)].flatMap((path) => streamIn(path) ?? [])[0];
  const keys = new Set(plans.map(({ id }) => planInStream(stream, planKey(id))));
  return standing(history).filter(({ subject }) => {
    const plan = planOf(subject);
    return plan === undefined ? whole && stream === undefined && phaseOf(subject) === number : keys.has(plan);
  });
}

/** Without planning files alone, without what was taken back, and without what took back. */
export function standing(history: readonly PastCommit[]): PastCommit[] {
  const back = new Set(history.flatMap(({ subject }) => /^Revert .* \(([0-9a-f]{7,40})\)$/.exec(subject)?.[1] ?? []));
  const isBack = (id: string) => [...back].some((each) => id.startsWith(each));
  return history.filter((commit) => !isPlanning(commit) && !commit.subject.startsWith("Revert ") && !isBack(commit.id));
}
