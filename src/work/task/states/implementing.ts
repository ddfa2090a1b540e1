import { opened } from "../envelope.ts";
import { Repository } from "../git.ts";
import type { Envelope, Worktree } from "../../../protocol/task.ts";
import { commitWork, stageWork } from "../commit.ts";
import { type CommandRun, endText, succeeded } from "../commands.ts";
import { Cycles } from "../healing/cycles.ts";
import { errorPlaces } from "../healing/errors.ts";
import { type Attempt, attemptsText, changeOfStrategy } from "../healing/history.ts";
import { errorSignature } from "../healing/signature.ts";
import { commitHooks } from "../hooks.ts";
import { needsTest } from "../invariants.ts";
import { isolate, rollBack } from "../isolation.ts";
import { proofsOf } from "../proof/proof.ts";
import { unplannedFiles } from "../scope.ts";
import { profileFor } from "../stacks/list.ts";
import { type Came, Stopped, type TaskState, type Work } from "../work.ts";

/** Carries out the frozen plan; what fails is repaired a few times, and never in a circle. */
export const implementing: TaskState = {
  name: "IMPLEMENTING",
  async work(work) {
    const envelope = opened(work.frozen);
    const worktree =
      work.task.worktree ?? (await isolate(work.repository, work.world.worktrees, work.task, work.frozen));
    if (!work.task.worktree) work.note({ worktree }, `on branch ${worktree.branch}`);
    await rollBack(worktree);
    const before = await greenBefore(work, envelope);
    return before ?? build(work, envelope);
  },
};

/** Nothing is refactored whose tests are red already. */
async function greenBefore(work: Work, { plan, base }: Envelope): Promise<Came | undefined> {
  const { test } = plan.commands;
  const begun = work.task.worktree?.head !== base.commit;
  if (work.task.intent?.intent !== "refactor" || !test || begun) return undefined;
  const run = await work.run(test);
  return succeeded(run)
    ? undefined
    : { to: "FAILED", detail: `The tests fail before the refactoring: ${test}, ${endText(run)}.` };
}

interface Trouble {
  /** What is wrong, for the model. */
  text: string;
  /** Same for the same trouble. */
  signature: string;
  about: string;
}

async function build(work: Work, envelope: Envelope): Promise<Came> {
  const cycles = new Cycles();
  const locked = (work.task.locks ?? []).map(({ path }) => path);
  const repairs = new Map<string, number>();
  const history: Attempt[] = [];
  const { feedback = [] } = work.task;
  let orders = firstOrders(work, envelope, work.task.repairs ? feedback : []);
  for (;;) {
    const end = await work.send({ mission: "coder", text: orders, locked });
    if (end.stop.kind !== "done") return { to: "FAILED", detail: `The work was not finished: ${end.stop.text}` };
    const trouble = await look(work, envelope);
    if (!trouble) return finish(work);
    const count = (repairs.get(trouble.about) ?? 0) + 1;
    repairs.set(trouble.about, count);
    if (count > work.world.settings.repairs)
      return { to: "FAILED", detail: `${trouble.about} still fails after ${work.world.settings.repairs} repairs.` };
    const patch = await stateOf(work);
    const circle = cycles.judge({ signature: trouble.signature, patch });
    if (circle === "stop")
      return {
        to: "FAILED",
        detail: `The repairs go in a circle: ${trouble.about} fails as it did before, with the same files.`,
      };
    history.push({ about: trouble.about, error: trouble.text, patch });
    orders = repairOrders(envelope, trouble, history.slice(0, -1));
    if (circle === "change") orders = `${orders}\n\n${changeOfStrategy}`;
  }
}

function firstOrders({ task }: Work, { plan }: Envelope, feedback: readonly string[]): string {
  return [
    "Carry out this plan.",
    JSON.stringify(plan, null, 1),
    ...(task.locks ?? []).map(({ path }) => `The test ${path} is written, fails, and is locked; it has to pass.`),
    ...(task.request.source === undefined ? [`The task:\n${task.request.text}`] : []),
    ...feedback.map((text) => `The person has looked at the result and wants: ${text}`),
  ].join("\n\n");
}

function repairOrders({ plan }: Envelope, { text, about }: Trouble, history: readonly Attempt[]): string {
  return [
    `This plan is being carried out: ${plan.summary}`,
    `Planned files: ${plan.files.map(({ path }) => path).join(", ")}`,
    `${about} fails:\n${text}`,
    ...(history.length > 0 ? [`What was tried before did not help:\n${attemptsText(history)}`] : []),
    "Say what caused it, then mend the cause.",
  ].join("\n\n");
}

const shown = 3000;

async function look(work: Work, envelope: Envelope): Promise<Trouble | undefined> {
  const unplanned = await unplannedFiles(work.task);
  if (unplanned.length > 0) {
    const text = `These files are not in the plan, so put them back as they were: ${unplanned.join(", ")}`;
    return { text, signature: text, about: "the plan's list of files" };
  }
  const { migrate, seed, run: steps } = envelope.plan;
  const { install, lint, compile, test } = envelope.plan.commands;
  const changed = await changedFiles(work);
  const syntax = changed.flatMap((path) => profileFor(path)?.syntax?.(path) ?? []);
  const proof = needsTest(work.task) ? (await proofsOf(work)).map(({ command }) => command) : [];
  const tests = work.task.intent?.docsOnly ? [] : [test];
  await stageWork(work);
  const listed = new Set(envelope.commands.map(({ text }) => text));
  const hooks = (await commitHooks(work.repository)).filter((hook) => listed.has(hook));
  for (const command of [
    ...syntax,
    install,
    compile,
    lint,
    ...migrate,
    ...seed,
    ...steps,
    ...proof,
    ...tests,
    ...hooks,
  ]) {
    if (!command) continue;
    const run = await work.run(command);
    if (!succeeded(run)) return troubleOf(command, run);
  }
  return undefined;
}

function troubleOf(command: string, run: CommandRun): Trouble {
  const places = errorPlaces(run.output)
    .slice(0, 8)
    .map(({ file, line }) => `${file}:${line}`);
  const text = [
    `${endText(run)}`,
    ...(places.length > 0 ? [`Places: ${places.join(", ")}`] : []),
    run.output.slice(-shown),
  ].join("\n");
  return { text, signature: `${command} ${errorSignature(run.output)}`, about: command };
}

async function changedFiles({ place }: Work): Promise<string[]> {
  const changed = await new Repository(place.folder).changed(true);
  return changed.filter(({ status }) => !status.includes("D")).map(({ path }) => path);
}

/** The files as they are, committed or not. */
async function stateOf({ place }: Work): Promise<string> {
  const repository = new Repository(place.folder);
  await repository.run(["add", "--all", "--intent-to-add"]);
  const diff = await repository.run(["diff", "HEAD"]);
  await repository.run(["reset", "--quiet"]);
  return diff;
}

async function finish(work: Work): Promise<Came> {
  if (work.signal.aborted) throw new Stopped();
  const head = await commitWork(work, "work");
  const repository = new Repository(work.place.folder);
  const worktree = { ...(work.task.worktree as Worktree), head };
  const tree = (await repository.tree("HEAD")) ?? "";
  return {
    to: "VERIFYING",
    patch: { worktree, lintedTree: tree },
    detail: `committed as ${head.slice(0, 9)} on ${worktree.branch}`,
  };
}
