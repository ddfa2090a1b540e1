import { sha256 } from "../../../base/digest.ts";
import type { Plan } from "../../../protocol/plan.ts";
import type { TestLock, Worktree } from "../../../protocol/task.ts";
import { succeeded } from "../world/commands.ts";
import { commitWork } from "../worktree/commit.ts";
import { opened } from "../machine/envelope.ts";
import { staleFromTheStart } from "../forge/origin.ts";
import { installPlanned, notInstalled } from "../checks/install.ts";
import { isolate } from "../work/isolation.ts";
import { judgeTest } from "../proof/honesty/judge.ts";
import { proofsOf, type TestProof } from "../proof/proof.ts";
import { readReport, type TestReport } from "../proof/report.ts";
import { sourceOf } from "../proof/source.ts";
import { profileFor } from "../stacks/list.ts";
import { bytesIn, textIn } from "../world/texts.ts";
import type { Came, TaskState, Work } from "../work/work.ts";

const attempts = 3;

/** The test comes first: it takes in its subject, fails by an assertion, and is locked by its hash. */
export const provingGround: TaskState = {
  name: "PROVING_GROUND",
  async work(work) {
    const envelope = opened(work.frozen);
    const { test } = envelope.plan;
    if (!test) return { to: "FAILED", detail: "The plan has no test." };
    const worktree = await isolate(work.repository, work.world.worktrees, work.task, work.frozen);
    if (!work.task.worktree) work.note({ worktree }, `on branch ${worktree.branch}`);
    // Whatever a run that was cut off left here was not finished.
    await work.rollBack(envelope.base.commit);
    const stale = await staleFromTheStart(work);
    if (stale) return stale;
    const install = await installPlanned(work);
    if (install) return { to: "FAILED", detail: notInstalled(install) };
    return prove(work, envelope.plan, test);
  },
};

async function prove(work: Work, plan: Plan, test: NonNullable<Plan["test"]>): Promise<Came> {
  const stubs = plan.files
    .filter(({ path: file, action }) => action === "create" && test.subject.includes(file))
    .map((file) => file.path);
  let problem = "";
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const end = await work.send({
      mission: "tester",
      text: orders(work, plan, problem),
      writes: [...test.paths, ...stubs],
    });
    if (end.stop.kind !== "done") return { to: "FAILED", detail: `There is no test: ${end.stop.text}` };
    const tried = await tryTests(work, test.subject);
    if ("locks" in tried) return locked(work, tried.locks);
    problem = tried.problem;
    work.tell(problem, false);
  }
  return { to: "FAILED", detail: `The test does not prove anything: ${problem}` };
}

function orders({ task }: Work, plan: Plan, problem: string): string {
  const { request } = task;
  return [
    `Write the test ${plan.test?.paths.join(", ")} of ${plan.test?.subject.join(", ")}.`,
    `The frozen plan:\n${JSON.stringify(plan, null, 1)}`,
    ...(request.source === undefined ? [`The task:\n${request.text}`] : []),
    ...(problem === "" ? [] : [`Your test as it is now is no proof: ${problem}`]),
  ].join("\n\n");
}

/** Every test of the plan has to fail for the right reason. */
async function tryTests(work: Work, subject: readonly string[]): Promise<{ locks: TestLock[] } | { problem: string }> {
  const locks: TestLock[] = [];
  // The proof rests on what was written and on the dependencies as they were, not on what the mission's commands left.
  work.place.forget();
  for (const proof of await proofsOf(work)) {
    const tried = await tryTest(work, proof, subject);
    if ("problem" in tried) return tried;
    locks.push(tried.lock);
  }
  return { locks };
}

async function tryTest(
  work: Work,
  proof: TestProof,
  subject: readonly string[],
): Promise<{ lock: TestLock } | { problem: string }> {
  const test = { path: proof.path, subject };
  const { folder } = work.place;
  const bytes = await bytesIn(folder, test.path);
  if (!bytes) return { problem: `${test.path} was not written.` };
  const empty = await nothingProven(work, test, new TextDecoder().decode(bytes));
  if (empty !== undefined) return { problem: (await unparsed(work, test.path)) ?? empty };
  const run = await work.run(proof.command);
  const report = readReport(proof.format, run.output, await sourceOf(folder, [test.path, ...subject]));
  if (report.result === "assertion") {
    const red = { result: report.result, failed: report.failed, command: proof.command, output: run.digest };
    return { lock: { path: test.path, digest: sha256(bytes), red } };
  }
  const why = report.detail.split("\n").slice(0, 6).join("\n");
  if (report.result === "passed") return { problem: `${test.path} passes already, so it shows nothing.` };
  if (report.result === "none") return { problem: `${test.path} ran no test.` };
  const cause = report.cause === undefined ? "" : ` (${causes[report.cause]})`;
  return {
    problem: `${test.path} failed for another reason than an assertion${cause}: ${why || run.output.slice(-500)}`,
  };
}

const causes: Record<NonNullable<TestReport["cause"]>, string> = {
  load: "it cannot be read, imported or compiled",
  exception: "something else was thrown",
  "no report": "there is no report of it",
};

/** What cannot be parsed seems to hold nothing, so that is looked at before it is told to be empty. */
async function unparsed(work: Work, file: string): Promise<string | undefined> {
  const command = profileFor(file)?.syntax?.(file);
  const run = command === undefined ? undefined : await work.run(command);
  if (!run || succeeded(run)) return undefined;
  const why = run.output.split("\n").slice(0, 8).join("\n");
  return `${file} failed for another reason than an assertion (it cannot be parsed): ${why}`;
}

/** By its syntax tree where the language is known, else by what it imports. */
async function nothingProven(
  work: Work,
  test: { path: string; subject: readonly string[] },
  text: string,
): Promise<string | undefined> {
  const { repository, task, place } = work;
  const before = await repository.text(task.envelope?.base.commit ?? "", test.path);
  const subjects = await Promise.all(
    test.subject.map(async (path) => {
      const found = await textIn(place.folder, path);
      return { path, ...(found !== undefined && { text: found }) };
    }),
  );
  const faults = await judgeTest({ path: test.path, text, subjects, ...(before !== undefined && { before }) });
  if (faults) {
    const grave = faults.find((fault) => fault.grave);
    return grave && `${test.path}:${grave.line}: ${grave.text}`;
  }
  const profile = profileFor(test.path);
  const stranger = test.subject.find((subject) => profile?.imports?.(test.path, text, subject) === false);
  return stranger && `${test.path} does not import ${stranger}, which it has to test.`;
}

async function locked(work: Work, locks: TestLock[]): Promise<Came> {
  const head = await commitWork(work, "test");
  const worktree = { ...(work.task.worktree as Worktree), head };
  return {
    to: "IMPLEMENTING",
    patch: { locks, worktree },
    detail: locks
      .map(({ path: file, red }) => `${file} fails by an assertion (${red.failed.length} of its tests) and is locked`)
      .join("; "),
  };
}
