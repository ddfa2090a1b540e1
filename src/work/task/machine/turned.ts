// Which tests the work has turned from red to green, and how all of them stand before and after.
import type { Evidence } from "../../../protocol/evidence.ts";
import type { TaskRecord } from "../../../protocol/task.ts";
import { comparable, floorOf } from "./floor.ts";
import { columns, section } from "./page.ts";

/** Which tests turned, by name, and all of them before and after. */
export function testLines(task: TaskRecord): string[] {
  const evidence = task.evidence ?? [];
  const turned = (byAuditor: boolean) =>
    evidence
      .filter(({ tier }) => tier === "unit")
      .map((each) => ({ ...each, file: each.claim.replace(/ passes$/, "") }))
      .filter(({ file }) => (file === task.envelope?.moreTest) === byAuditor)
      .flatMap(({ file, turned: names = [] }) => names.map((name) => columns(name, file)));
  const suites = floorOf(task).flatMap((check) => {
    const run = evidence.find(({ tier, command }) => tier === "integration" && command === check.run);
    return run?.tests && comparable(check) ? [columns(check.command, totalsText(run.tests, check.tests))] : [];
  });
  const gone = evidence.flatMap((each) => (each.tier === "integration" ? (each.gone ?? []) : []));
  const idle = (task.locks ?? []).flatMap(({ path, red }) => (red.passed ?? []).map((name) => columns(name, path)));
  return [
    ...section("Red before the change, green with it", turned(false)),
    ...section("New tests that passed before the change, too, so no proof of it", idle),
    ...section("Red on the work as it was first, by the auditor's test, and green now", turned(true)),
    ...section("All tests, after and before", suites),
    ...section("Passed before, and gone by the plan", gone),
  ];
}

type Totals = NonNullable<Evidence["tests"]>;

function totalsText(after: Totals, before: Totals | undefined): string {
  const text = ({ passed, failed, skipped }: Totals) =>
    [
      `${passed} passed`,
      ...(failed > 0 ? [`${failed} failed`] : []),
      ...(skipped > 0 ? [`${skipped} skipped`] : []),
    ].join(", ");
  return before ? `${text(after)}; before: ${text(before)}` : text(after);
}
