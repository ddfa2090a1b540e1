// What a check of the repository's own says of the commit, held against what it said of the base.
import type { RehearsedCheck } from "../../../protocol/rehearsal.ts";
import type { TaskRecord } from "../../../protocol/task.ts";
import { telling } from "../healing/telling.ts";
import { named } from "../machine/floor.ts";
import { readReport } from "../proof/report.ts";
import type { ReportFormat } from "../stacks/profile.ts";
import { type CommandRun, endText } from "../world/commands.ts";
import { decidesChecks } from "./definitions.ts";

/** What was red before is subtracted by name; what was green before has to be there still. */
export function judgeFloor(
  check: RehearsedCheck,
  run: CommandRun,
  { plan }: Pick<TaskRecord, "plan">,
): { ok: boolean; detail: string } {
  if (run.ended !== "exited") return { ok: false, detail: endText(run) };
  if (check.kind !== "test")
    return { ok: run.exit === 0, detail: run.exit === 0 ? "" : `${endText(run)}\n${telling(run.output)}` };
  const report = readReport(check.format as ReportFormat, run.output, undefined, run.exit);
  const spared = new Set([...(check.redBefore ?? []), ...(check.flaky ?? [])]);
  const fresh = report.failed.filter((name) => !spared.has(name));
  const unread = run.exit !== 0 && report.failed.length === 0;
  if (fresh.length > 0 || unread || (run.exit !== 0 && spared.size === 0))
    return { ok: false, detail: [named("red now, and not before", fresh), telling(run.output)].join("\n").trim() };
  const passed = new Set(report.cases.filter(({ outcome }) => outcome === "passed").map(({ name }) => name));
  const lost = (check.green ?? []).filter((name) => !passed.has(name) && !spared.has(name));
  const meant = plan?.files.some(({ path: file, action }) => action !== "create" && decidesChecks(file, true)) === true;
  const none = passed.size === 0 && (check.green ?? []).length > 0;
  if (none || (lost.length > 0 && !meant))
    return { ok: false, detail: named("passed before, and was not run or did not pass now", lost) };
  return { ok: true, detail: sumOf(report.passed, report.failed, lost) };
}

const sumOf = (passed: number, red: readonly string[], lost: readonly string[]): string =>
  [`${passed} passed`, named("red as before", red), named("gone by the plan", lost)].filter(Boolean).join("; ");
