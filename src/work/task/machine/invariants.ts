// What the states of a task rely on. Each is looked at when a transition is about to happen, never remembered.
import path from "node:path";
import { sha256 } from "../../../base/digest.ts";
import { readBytes } from "../../../io/files/bytes.ts";
import { isThere } from "../../../io/folders/worktrees.ts";
import type { TaskRecord, TestResult } from "../../../protocol/task.ts";
import { approvalDigest, missingEvidence } from "./evidence.ts";
import { freeze } from "./envelope.ts";
import { Repository } from "../world/git.ts";
import { onlyAnswers } from "./intent.ts";
import { baseMoved, dependencyDrift, unplannedFiles } from "./scope.ts";

export interface InvariantContext {
  repository: Repository;
  now: number;
}

/** Why it does not hold; undefined when it does. */
type Invariant = (task: TaskRecord, around: InvariantContext) => Promise<string | undefined> | string | undefined;

export const needsTest = ({ intent }: TaskRecord): boolean =>
  intent !== undefined && intent.intent !== "refactor" && !intent.docsOnly;

const bySubject: readonly TestResult[] = ["assertion", "missing"];

const invariants = {
  "request given": ({ request }) => (request.text.trim() === "" ? "There is no request" : undefined),
  "intent classified": ({ intent }) => (intent ? undefined : "What is wanted is not known"),
  "intent only asks": ({ intent }) =>
    intent && onlyAnswers(intent.intent) ? undefined : "The request is more than a question",
  "repository mapped": ({ map }) => (map ? undefined : "The repository was not looked at"),
  "checks rehearsed": ({ rehearsal }) =>
    rehearsal ? undefined : "The repository's own checks were not tried on the base",
  "plan signed and frozen": (task, { now }) => {
    const found = freeze(task);
    if ("why" in found) return found.why;
    // The signature lets the work begin; what was begun in time may go on.
    return task.worktree === undefined && now > (task.planApproval?.expires ?? 0)
      ? "The approval has expired"
      : undefined;
  },
  "inputs unchanged": async ({ envelope }, { repository }) => {
    if (!envelope) return "There is no plan";
    return baseMoved(repository, envelope);
  },
  "intent needs a test": (task) => (needsTest(task) ? undefined : "A refactoring or documents need no new test"),
  "test failed by its subject": ({ locks, plan }) => {
    const open = plan?.test?.paths.find(
      (path) => !bySubject.includes(locks?.find((lock) => lock.path === path)?.red.result ?? "none"),
    );
    return locks && locks.length > 0 && open === undefined
      ? undefined
      : `The test ${open ?? ""} did not fail by its subject`.replace("  ", " ");
  },
  "test there if needed": (task) => (task.locks?.length || !needsTest(task) ? undefined : "There is no test yet"),
  "test unmodified": testUnmodified,
  "linter passed": async ({ lintedTree, worktree }) => {
    if (!worktree) return "There is no worktree";
    const tree = await new Repository(worktree.folder).tree("HEAD");
    return tree !== undefined && tree === lintedTree ? undefined : "The linter has not passed on these files";
  },
  "planned files only": async (task) => {
    const [first, ...more] = await unplannedFiles(task);
    return first === undefined
      ? undefined
      : `${first} is not in the plan${more.length > 0 ? `, nor are ${more.length} more` : ""}`;
  },
  "dependencies unchanged": (task) => dependencyDrift(task),
  "evidence complete": (task) => missingEvidence(task),
  "base unmoved": async ({ envelope, merge }, { repository }) => {
    if (!envelope) return "There is no plan";
    const base = await repository.commit(`refs/heads/${envelope.base.branch}`);
    // Killed between the merge and its record: the base is where this task put it.
    return merge && base === merge.commit ? undefined : baseMoved(repository, envelope);
  },
  "merge signed": async (task, { now }) => {
    const { mergeApproval, request } = task;
    // Its wave was signed with it, and puts it nowhere before that is integrated as a whole.
    if (request.given && request.outcome === "leave") {
      const found = freeze(task);
      return "why" in found ? found.why : undefined;
    }
    if (!mergeApproval) return "Nobody has approved the result";
    if (now > mergeApproval.expires) return "The approval has expired";
    return mergeApproval.digest === approvalDigest(task) ? undefined : "Something else was approved";
  },
  "CI of this head": async ({ ci, worktree }) => {
    if (!ci || !worktree) return "The CI was not looked at";
    if (ci.status === "none") return undefined;
    if (ci.status !== "success") return "The CI is not green";
    const head = await new Repository(worktree.folder).commit("HEAD");
    return head === ci.commit ? undefined : "The CI ran for another commit";
  },
  "outcome recorded": async ({ outcome, merge, envelope, worktree }, { repository }) => {
    if (!outcome) return "There is no outcome";
    if (outcome.kind !== "merged") return undefined;
    if (!merge || !envelope || !worktree) return "There is no merge";
    const base = `refs/heads/${envelope.base.branch}`;
    if ((await repository.commit(base)) === merge.commit) return undefined;
    const contains = await repository.line("merge-base", "--is-ancestor", merge.commit, base);
    return contains === undefined ? "The base does not hold the merge" : undefined;
  },
} as const satisfies Record<string, Invariant>;

export type InvariantName = keyof typeof invariants;

export const holds = async (
  name: InvariantName,
  task: TaskRecord,
  around: InvariantContext,
): Promise<string | undefined> => (invariants[name] as Invariant)(task, around);

async function testUnmodified({ locks = [], worktree }: TaskRecord): Promise<string | undefined> {
  for (const lock of locks) {
    const file = path.join(worktree?.folder ?? "", lock.path);
    if (!worktree || !isThere(file)) return `The locked test ${lock.path} is gone`;
    const { bytes } = await readBytes(file);
    if (sha256(bytes) !== lock.digest) return `The locked test ${lock.path} was changed`;
  }
  return undefined;
}
