// The repository's own suites with all that decides them as it was at the base: no change of settings, setup files, tests or
// snapshots hides what the work has broken.
import path from "node:path";
import { dropFolder } from "../../../io/folders/worktrees.ts";
import type { RehearsedCheck } from "../../../protocol/rehearsal.ts";
import type { TaskRecord } from "../../../protocol/task.ts";
import { opened } from "../machine/envelope.ts";
import { floorOf } from "../machine/floor.ts";
import { inScratch } from "../work/scratch.ts";
import type { Work } from "../work/work.ts";
import { proofsOf } from "../proof/proof.ts";
import { type CommandRun, succeeded } from "../world/commands.ts";
import { type Differing, Repository } from "../world/git.ts";
import type { WorkFolder } from "../world/world.ts";
import { changedSettings, isTest } from "./definitions.ts";
import { filesIn, filesRunBy, isScript, manifestFor, type Spelled, spelled, startedIn } from "./run-files.ts";
import { lostNames } from "./floor.ts";
import { readReport } from "../proof/report.ts";
import type { ReportFormat } from "../stacks/profile.ts";
import { judgeOwn, testsIn } from "./replaced.ts";

interface AsBefore {
  /** With the settings of checks as they were; absent where none of them changed. */
  settings?: { check: RehearsedCheck; run: CommandRun; ok: boolean; detail: string }[];
  /** What tests that the work changes come to in their old form; `outgrown`: those that passed before, and do not so. */
  old: { check: RehearsedCheck; run: CommandRun; outgrown: string[] }[];
}

/** Undefined where nothing that decides the suites has changed. */
export async function asBefore(work: Work): Promise<AsBefore | undefined> {
  const { base, lent, copied, plan } = opened(work.frozen);
  const head = work.task.worktree?.head ?? "";
  const floor = floorOf(work.task);
  const changed = await new Repository(work.place.folder).differing(base.commit);
  const purpose = plan.settings ?? [];
  const settings = [...(await changedSettings(work.task, changed)), ...(await scriptsOf(work, floor, changed))].filter(
    ({ path: file }, at, all) => !purpose.includes(file) && all.findIndex((each) => each.path === file) === at,
  );
  // A linter is held to its settings as they were; which old tests pass, only suites say.
  const suites = floor.filter(({ kind }) => settings.length > 0 || kind === "test");
  const locked = new Set(work.task.locks?.map((lock) => lock.path));
  const tests = changed.filter(({ path: file, before }) => before !== absent && isTest(file));
  const resting = restOnSettings(work.task, settings);
  const fresh = changed.filter(({ path: file, before }) => resting && before === absent && locked.has(file));
  if (suites.length === 0 || settings.length + tests.length === 0) return undefined;
  return inScratch(work, { commit: head, lent, copied }, async (place) => {
    work.tell("with settings and tests of the checks as they were before the change:");
    await putBack(work, place, base.commit, [...settings, ...fresh, ...tests]);
    if (settings.length === 0 && (await passAlone(work, place, tests))) return { old: [] };
    const whole = await runAll(work, place, suites);
    const old =
      tests.length === 0 ? [] : await outgrownIn(work, { place, files: tests.map(({ path: file }) => file) }, whole);
    if (settings.length === 0) return { old };
    // One run says it for both where no test has changed.
    const runs =
      tests.length === 0
        ? whole
        : await withSettings(work, place, { head, base: base.commit, settings: [...settings, ...fresh], suites });
    const judged: NonNullable<AsBefore["settings"]> = [];
    for (const { check, run } of runs) {
      const judge = (of: CommandRun) => judgeOwn(work, resting ? sparing(check, work.task) : check, of);
      const found = await judge(run);
      // Green in another run of the same files, it was chance.
      const [again] = found.ok ? [] : await runAll(work, place, [check]);
      const last = again && (await judge(again.run)).ok ? again.run : run;
      judged.push({ check, run: last, ...(await judge(last)) });
    }
    return { old, settings: judged };
  });
}

/**
 * Files that the repository's own checks run by their names, as they were before: the work may not say anew what its checks do. What
 * the plan's tests are about is the work itself, unless it is a script that checks.
 */
async function scriptsOf(
  { repository, task }: Work,
  floor: readonly RehearsedCheck[],
  changed: readonly Differing[],
): Promise<Differing[]> {
  const base = task.envelope?.base.commit ?? "";
  const files = spelled(await repository.files(base));
  const named = new Set<string>();
  for (const { command } of floor)
    for (const file of filesRunBy(command, await repository.text(base, manifestFor(command)), files)) named.add(file);
  // What a script or a target runs by its name is run by who runs it.
  for (const file of named) {
    const text = named.size < mostNamed && isScript(file) ? await repository.text(base, file) : undefined;
    if (text !== undefined) for (const inner of filesRunIn(text.slice(0, longestScript), files)) named.add(inner);
  }
  const subject = task.plan?.test?.subject ?? [];
  return changed.filter(
    ({ path: file, before }) =>
      before !== absent && named.has(file) && !isTest(file) && (isScript(file) || !subject.includes(file)),
  );
}

/** A script that a script names, or what it starts by an interpreter. A file that it only reads, such as a document, is the work itself. */
function filesRunIn(text: string, files: Spelled): string[] {
  const started = new Set(startedIn(text, files));
  return filesIn(text, files).filter((file) => !document.test(file) && (isScript(file) || started.has(file)));
}

const document = /\.(?:md|markdown|mdx|rst|txt|adoc)$/i;

const mostNamed = 2000;
const longestScript = 64 * 1024;

/** Only locked tests have changed, and each file of them passes in its old form. */
async function passAlone(work: Work, place: WorkFolder, tests: readonly Differing[]): Promise<boolean> {
  const proofs = await proofsOf(work);
  for (const { path: file } of tests) {
    const proof = proofs.find((each) => each.path === file);
    if (!proof || proof.whole) return false;
    place.forget();
    if (!succeeded(await work.runIn(place, proof.command))) return false;
  }
  return true;
}

/** Whether the run ended before all of its files were run. */
function stops({ format }: RehearsedCheck, run: CommandRun): boolean {
  const { cases, cause } = readReport(format as ReportFormat, run.output, undefined, run.exit);
  return cause === "no report" || cases.some(({ outcome }) => outcome === "load");
}

/** What is green in a second run was chance. */
async function outgrownIn(
  work: Work,
  { place, files }: { place: WorkFolder; files: readonly string[] },
  runs: Awaited<ReturnType<typeof runAll>>,
): Promise<AsBefore["old"]> {
  const found: AsBefore["old"] = [];
  for (const { check, run } of runs) {
    const first = lostNames(check, run);
    const [again] = first.length === 0 ? [] : await runAll(work, place, [check]);
    const second = again ? lostNames(check, again.run) : [];
    const outgrown = first.filter((name) => second.includes(name));
    // A file that cannot be loaded may keep others from being run, which say nothing then.
    const stopped = again && stops(check, again.run);
    const own = stopped ? await testsIn(work, check, files) : [];
    found.push({ check, run, outgrown: stopped ? outgrown.filter((name) => own.includes(name)) : outgrown });
  }
  return found;
}

const absent = "000000";

/** Whether the locked tests came with settings of their own, such as a fixture: without those they cannot pass. */
const restOnSettings = ({ testSupport = [] }: TaskRecord, settings: readonly Differing[]): boolean =>
  settings.some(({ path: file }) => testSupport.includes(file));

/** A locked test that is new is left out with its settings; in one that was there before, the cases that were red are. */
const sparing = (check: RehearsedCheck, { locks = [] }: TaskRecord): RehearsedCheck => ({
  ...check,
  redBefore: [...(check.redBefore ?? []), ...locks.flatMap(({ red }) => red.failed)],
});

async function withSettings(
  work: Work,
  place: WorkFolder,
  {
    head,
    base,
    settings,
    suites,
  }: { head: string; base: string; settings: readonly Differing[]; suites: RehearsedCheck[] },
) {
  await work.git.act({ op: "reset", words: ["--hard", head], folder: place.folder }, async (git) => {
    await git.run(["reset", "--hard", "--quiet", head]);
  });
  await putBack(work, place, base, settings);
  return runAll(work, place, suites);
}

/** These files as they were in that commit. */
export async function putBack(
  work: Work,
  { folder }: WorkFolder,
  base: string,
  files: readonly Differing[],
): Promise<void> {
  for (const { path: file } of files.filter(({ before }) => before === absent)) dropFolder(path.join(folder, file));
  const there = files.filter(({ before }) => before !== absent).map((each) => each.path);
  if (there.length === 0) return;
  await work.git.act({ op: "reset", words: [base, "--", ...there], folder }, async (git) => {
    for (const file of there) await git.run(["checkout", "--quiet", base, "--", file]);
  });
}

async function runAll(work: Work, place: WorkFolder, suites: readonly RehearsedCheck[]) {
  const runs: { check: RehearsedCheck; run: CommandRun }[] = [];
  for (const check of suites) {
    place.forget();
    const run = await work.runIn(place, check.run);
    runs.push({ check, run: { ...run, output: run.output.replaceAll(`${place.folder}/`, "") } });
  }
  return runs;
}
