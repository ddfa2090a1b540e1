// What a check of the repository's own says of the commit, held against what it said of the base.
import { unwrapped } from "../../../base/report-wrapper.ts";
import type { Evidence } from "../../../protocol/evidence.ts";
import type { Plan } from "../../../protocol/plan.ts";
import type { RehearsedCheck } from "../../../protocol/rehearsal.ts";
import type { TaskRecord } from "../../../protocol/task.ts";
import { telling } from "../healing/telling.ts";
import { comparable, isSameRun, named, standFor, wholeRun } from "../machine/floor.ts";
import { plannedChecks } from "../machine/plan.ts";
import { readReport, type TestReport } from "../proof/report.ts";
import type { ReportFormat } from "../stacks/profile.ts";
import { type CommandRun, endText, succeeded } from "../world/commands.ts";
import { kindOf } from "./sources/declared.ts";

/**
 * What was red before is subtracted by name; what was green before has to be there still, but for `mayGo`. `lost`: what is not
 * there, where that alone is why it is no.
 */
export function judgeFloor(
  check: RehearsedCheck,
  run: CommandRun,
  mayGo: readonly string[] = [],
): Pick<Evidence, "ok" | "detail" | "tests" | "gone"> & { lost?: string[] } {
  if (run.ended !== "exited") return { ok: false, detail: endText(run) };
  if (check.kind !== "test")
    return { ok: run.exit === 0, detail: run.exit === 0 ? "" : `${endText(run)}\n${telling(run.output)}` };
  const report = readReport(check.format as ReportFormat, run.output, undefined, run.exit);
  const ended = check.chain === true && run.exit !== 0;
  const flaky = new Set(check.flaky);
  const redBefore = (check.redBefore ?? []).filter((name) => comparable(check) || name !== wholeRun);
  const fresh = beyond(report.failed, redBefore).filter((name) => !flaky.has(name));
  const unread = run.exit !== 0 && report.failed.length === 0;
  if (fresh.length > 0 || unread || (run.exit !== 0 && redBefore.length + flaky.size === 0))
    return { ok: false, detail: [named("red now, and not before", fresh), telling(run.output)].join("\n").trim() };
  // Nobody knows what came of that which it runs behind.
  if (ended) return { ok: false, detail: `it ended before all of it was run\n${telling(run.output)}`.trim() };
  const green = report.cases.filter(({ outcome }) => outcome === "passed").map(({ name }) => name);
  const passed = new Set(green);
  const missing = beyond(check.green ?? [], [...green, ...report.failed]).filter((name) => !flaky.has(name));
  const lost = withoutRenumbered(missing, { passed, green: new Set(check.green), format: check.format });
  const kept = beyond(lost, mayGo);
  const tests = totals(report);
  if (passed.size === 0 && (check.green ?? []).length > 0)
    return { ok: false, detail: named("passed before, and was not run or did not pass now", lost), tests };
  if (kept.length > 0) {
    const detail = `${named("passed before, and was not run or did not pass now", kept)}\n${unnamedHint}`;
    return { ok: false, tests, lost, detail };
  }
  const fewer = tooFew(check, report);
  if (fewer !== undefined && lost.length === 0) return { ok: false, detail: fewer, tests };
  return { ok: true, detail: sumOf(report.passed, report.failed, lost), tests, ...(lost.length > 0 && { gone: lost }) };
}

/** Of a suite that has more tests than are kept by name, the others are known by their number. */
function tooFew(
  { green = [], tests, flaky = [], redBefore = [] }: RehearsedCheck,
  { passed }: TestReport,
): string | undefined {
  if (!tests || tests.passed <= green.length + redBefore.length + flaky.length) return undefined;
  return passed + flaky.length < tests.passed
    ? `${tests.passed} tests passed before, and ${passed} pass now`
    : undefined;
}

/**
 * Names that stand more often in `names` than in `known`, each as often as that: tests of several files may have one name, and
 * the one that was red before excuses no other.
 */
export function beyond(names: readonly string[], known: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const name of known) left.set(name, (left.get(name) ?? 0) + 1);
  return names.filter((name) => {
    const count = left.get(name) ?? 0;
    left.set(name, count - 1);
    return count <= 0;
  });
}

/** What is said of tests that the plan does not name. */
export const unnamedHint =
  "What passed before has to stay, unless the signed plan names the test, or its file, under `replaces`.";

/**
 * Parameters that pytest numbers, where the case itself gives no name: what is `[x6]` no more is `[x9]` now, and not gone. A script
 * that is no known runner may count in its lines: `12 files are fine`.
 */
function withoutRenumbered(
  lost: readonly string[],
  { passed, green, format }: { passed: ReadonlySet<string>; green: ReadonlySet<string>; format: string },
): string[] {
  const stem = (name: string) =>
    format === "any"
      ? name.replaceAll(/\d+/g, "#")
      : name.replace(/\[.*\]$/s, (all) => all.replaceAll(/(?<=[A-Za-z_])\d+(?=[-\]])/g, ""));
  const fresh = [...passed].filter((name) => !green.has(name)).map(stem);
  return lost.filter((name) => {
    const at = stem(name) === name ? -1 : fresh.indexOf(stem(name));
    if (at >= 0) fresh.splice(at, 1);
    return at < 0;
  });
}

/**
 * What a planned command that runs tests says, in the words of its report: a test that was red before the work is none of
 * its faults, whatever its exit code, where it runs nothing behind its tests. `red`: the names of those.
 */
export function judgePlanned(
  run: CommandRun,
  format: ReportFormat,
  task: Pick<TaskRecord, "rehearsal" | "locks">,
): { ok: boolean; report: TestReport; red: string[] } {
  const report = readReport(format, run.output, undefined, run.exit);
  const ok = runsTestsLast(run.command) && onlyKnownRed(run, report, task);
  return ok ? { ok, report, red: report.failed } : { ok: succeeded(run), report, red: [] };
}

/** It ended, and what is red in it was so before the work. */
export function onlyKnownRed(
  { ended }: CommandRun,
  { failed }: TestReport,
  task: Pick<TaskRecord, "rehearsal" | "locks">,
): boolean {
  const spared = knownRed(task);
  return ended === "exited" && failed.length > 0 && failed.every((name) => spared.has(name));
}

/** Behind the tests something else may have failed, or never have run, and no test's name says so. */
function runsTestsLast(command: string): boolean {
  const plain = unwrapped(command).replaceAll(/'[^']*'|"(?:\\.|[^"\\])*"|\d?>&\d|&>/g, "");
  const parts = plain.split("&&");
  return !/[;|&\n]/.test(parts.join("")) && parts.slice(0, -1).every((part) => kindOf(part) !== "test");
}

/** Tests that were red before the work, besides those that the work is to make green. */
export function knownRed({ rehearsal, locks = [] }: Pick<TaskRecord, "rehearsal" | "locks">): Set<string> {
  const wanted = new Set([wholeRun, ...locks.flatMap(({ red }) => red.failed)]);
  const known = (rehearsal?.checks ?? [])
    .filter(comparable)
    .flatMap(({ redBefore = [], flaky = [] }) => redBefore.filter((name) => !flaky.includes(name)));
  return new Set(known.filter((name) => !wanted.has(name)));
}

/** Tests that passed before, and are red or not there in this run; those that were never sure are left out. */
export function lostNames(check: RehearsedCheck, run: CommandRun): string[] {
  const report = readReport(check.format as ReportFormat, run.output, undefined, run.exit);
  const passed = new Set(report.cases.filter(({ outcome }) => outcome === "passed").map(({ name }) => name));
  const spared = new Set([...(check.redBefore ?? []), ...(check.flaky ?? [])]);
  return (check.green ?? []).filter((name) => !passed.has(name) && !spared.has(name));
}

export const totals = ({ passed, failed, skipped }: TestReport) => ({ passed, failed: failed.length, skipped });

const sumOf = (passed: number, red: readonly string[], lost: readonly string[]): string =>
  [`${passed} passed`, named("red as before", red), named("gone by the plan", lost)].filter(Boolean).join("; ");

/** Planned checks of which nothing says yet that they can fail: neither the floor nor the tests that have to be red first. */
export function openChecks(
  task: Pick<TaskRecord, "rehearsal" | "intent">,
  plan: Plan,
  proofs: readonly { command: string }[],
): string[] {
  return plannedChecks(plan).filter(
    (text) => standFor(task, text).length === 0 && !proofs.some(({ command }) => isSameRun(command, text)),
  );
}
