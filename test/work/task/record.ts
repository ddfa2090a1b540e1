// A task as it is recorded when all went well, over a real repository: for tests that then change one thing.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { digestOf, sha256 } from "../../../src/base/digest.ts";
import { Plan } from "../../../src/protocol/plan.ts";
import type { Evidence } from "../../../src/protocol/evidence.ts";
import {
  type Signature,
  type TaskPatch,
  type TaskRecord,
  type TaskStateName,
  type Transition,
} from "../../../src/protocol/task.ts";
import { foldTask } from "../../../src/protocol/task-fold.ts";
import { mapRepository } from "../../../src/work/task/checks/discovery.ts";
import { sealFields } from "../../../src/work/task/machine/envelope.ts";
import { approvalDigest } from "../../../src/work/task/machine/evidence.ts";
import { toolchainDigest, wishes } from "../../../src/work/task/states/framing.ts";
import { Repository } from "../../../src/work/task/world/git.ts";
import { branchName } from "../../../src/work/task/work/isolation.ts";
import { guessIntent } from "../../../src/work/task/machine/intent.ts";
import { lockfilesOf } from "../../../src/work/task/machine/scope.ts";
import { fixed, nodeFiles, plan, test1 } from "./crew.ts";

const day = 24 * 60 * 60 * 1000;
/** When everything was approved. */
export const then = 1_000_000;

export interface Recorded {
  folder: string;
  worktree: string;
  repository: Repository;
  git(...args: string[]): string;
  /** In the worktree, and committed there. */
  commit(name: string, text: string): void;
  put(name: string, text: string): void;
  transitions: Transition[];
  task: TaskRecord;
  /** The task as these transitions leave it. */
  folded(transitions: readonly Transition[]): TaskRecord;
  /** Repository and worktree as they were. */
  reset(): void;
  close(): void;
}

export async function recordedTask(): Promise<Recorded> {
  const top = mkdtempSync(path.join(os.tmpdir(), "fettle-record-"));
  const folder = path.join(top, "main");
  const at = (where: string, name: string, text: string) => {
    mkdirSync(path.dirname(path.join(where, name)), { recursive: true });
    writeFileSync(path.join(where, name), text);
  };
  for (const [name, text] of Object.entries({ ...nodeFiles, "package-lock.json": "{}\n" })) at(folder, name, text);
  const gitIn = (where: string, ...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], {
      cwd: where,
      encoding: "utf8",
    }).trim();
  gitIn(folder, "init", "--quiet", "--initial-branch=main");
  gitIn(folder, "add", ".");
  gitIn(folder, "commit", "--quiet", "-m", "start");
  const repository = new Repository(folder);
  const first: TaskRecord = {
    ...{ id: "0123abcd", session: "s", state: "INTENT_ANALYSIS", startedAt: 0, spentMs: 0 },
    request: { text: "fix the rounding bug: 1.5 should become 2", strict: false, outcome: "merge" },
  };
  const worktree = path.join(top, "worktrees", first.id);
  const base = gitIn(folder, "rev-parse", "main");
  const tree = gitIn(folder, "rev-parse", "main^{tree}");
  const map = await mapRepository(repository, base);
  const machine = { toolchain: [{ name: "node", version: "v24" }], images: [] };
  const whole = Plan.parse(plan());
  const envelope = sealFields({
    ...{ plan: whole, commands: ["npm test"], hosts: [], flagged: [], lent: [], copied: [], strict: false, ...machine },
    intent: "fix",
    paths: whole.files.map((file) => file.path),
    base: { branch: "main", commit: base, tree },
    inputs: { request: wishes(first), map: map.digest, tree, toolchain: toolchainDigest(machine) },
    lockfiles: await lockfilesOf(repository, base),
    sampling: { temperature: 0, prompts: "p" },
  });
  const signed = (digest: string, nonce: string): Signature => ({
    digest,
    nonce,
    by: "me",
    at: then,
    expires: then + day,
  });
  const branch = branchName(first);
  gitIn(folder, "worktree", "add", "--quiet", "-b", branch, worktree, base);
  const commit = (name: string, text: string) => {
    at(worktree, name, text);
    gitIn(worktree, "add", "--all");
    gitIn(worktree, "commit", "--quiet", "-m", name);
  };
  commit("test/round.test.js", test1);
  const red = { result: "assertion" as const, failed: ["a half is rounded up"], command: "node --test", output: "o" };
  const locks = [{ path: "test/round.test.js", digest: sha256(test1), red }];
  commit("src/round.js", fixed);
  const head = gitIn(worktree, "rev-parse", "HEAD");
  const done = gitIn(worktree, "rev-parse", "HEAD^{tree}");
  const fact = (tier: Evidence["tier"], claim: string, command = ""): Evidence => ({
    ...{ tier, claim, command, tree: done, ok: true, detail: "" },
    ...{ exit: command === "" ? null : 0, output: "0".repeat(64) },
  });
  const evidence = [
    fact("scope", "only planned files differ"),
    fact("dependencies", "as they were"),
    fact("base", "where it was"),
    fact("test-lock", "the test is as it was"),
    fact("unit", "the locked test passes", "node --test test/round.test.js"),
    fact("proof", "without the change the test fails again", "node --test test/round.test.js"),
    fact("integration", "all tests pass", "npm test"),
    fact("ci", "the CI passes", "sh .ci/run"),
    ...whole.acceptance.map(({ claim, command }) => fact("acceptance", claim, command)),
  ];
  const place = { folder: worktree, branch };
  const ci = { provider: "local", commit: head, status: "success" as const, run: 1 };
  const digest = approvalDigest({ ...first, envelope, evidence, worktree: { ...place, head } });
  const steps: [TaskStateName, TaskPatch][] = [
    ["REPO_DISCOVERY", { intent: guessIntent(first.request.text) }],
    ["REHEARSAL", { map }],
    ["PLANNING", { rehearsal: { commit: base, checks: [] } }],
    ["PLANNING", { plan: whole, envelope }],
    ["PROVING_GROUND", { planApproval: signed(envelope.digest, "n1") }],
    ["PROVING_GROUND", { worktree: { ...place, head: base } }],
    ["IMPLEMENTING", { locks, worktree: { ...place, head: gitIn(worktree, "rev-parse", "HEAD~1") } }],
    ["VERIFYING", { worktree: { ...place, head }, lintedTree: done }],
    ["FEEDBACK_WAIT", { evidence, ci }],
    ["COMPLETE", { mergeApproval: signed(digest, "n2") }],
  ];
  const transitions = steps.map(
    ([to, patch], index): Transition => ({
      seq: index + 1,
      from: steps[index - 1]?.[0] ?? first.state,
      to,
      at: then,
      patch,
    }),
  );
  const folded = (all: readonly Transition[]) => all.reduce(foldTask, first);
  return {
    ...{ folder, worktree, repository, commit, transitions, folded, task: folded(transitions) },
    git: (...args) => gitIn(folder, ...args),
    put: (name, text) => at(worktree, name, text),
    reset() {
      gitIn(worktree, "reset", "--hard", "--quiet", head);
      gitIn(worktree, "clean", "-fdq");
      gitIn(folder, "symbolic-ref", "HEAD", "refs/heads/main");
      gitIn(folder, "update-ref", "refs/heads/main", base);
    },
    close: () => rmSync(top, { recursive: true, force: true }),
  };
}

export const another = digestOf("another");
export const textAt = (folder: string, name: string): string => readFileSync(path.join(folder, name), "utf8");
