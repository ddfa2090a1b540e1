// The floor of all evidence: the repository's own suite, linter and types, whatever the plan says of them.
import type { RehearsedCheck } from "../../../protocol/rehearsal.ts";
import type { TaskRecord } from "../../../protocol/task.ts";

/** Those that were seen to run on the untouched base. A linter that was red there, or a suite that is red and names no test, is a departure. */
export const floorOf = ({ rehearsal, intent }: Pick<TaskRecord, "rehearsal" | "intent">): RehearsedCheck[] =>
  intent?.docsOnly
    ? []
    : (rehearsal?.checks ?? []).filter(
        (check) => check.result === "works" || (check.result === "red" && comparable(check)),
      );

/** What stands for the tests of a runner that names none. */
export const wholeRun = "the whole run";

/** Whether its tests can be compared by name: without names, red before and red after say the same whatever broke. */
export const comparable = ({ kind, green = [], redBefore = [] }: RehearsedCheck): boolean =>
  kind === "test" && [...green, ...redBefore].some((name) => name !== wholeRun);

/** Whether running the one says all that the other would. */
export const isSame = ({ command, run }: RehearsedCheck, planned: string | undefined): boolean =>
  planned !== undefined && (command === planned.trim() || isSameRun(run, planned));

/** Whether they run the same: only the form of the report differs. */
export const isSameRun = (run: string, planned: string): boolean =>
  [run, run.replace(" --test-reporter=tap", "")].includes(planned.trim());

const mostNamed = 10;

/** Names behind what is said of them; nothing where there are none. */
export const named = (what: string, names: readonly string[]): string =>
  names.length === 0
    ? ""
    : `${what}: ${names.slice(0, mostNamed).join(", ")}${names.length > mostNamed ? ` and ${names.length - mostNamed} more` : ""}`;

/** What a person has to know of evidence that is less than the repository's own: at the plan, and at the result. */
export function departures({ rehearsal, intent }: Pick<TaskRecord, "rehearsal" | "intent">): string[] {
  if (!rehearsal || intent?.docsOnly) return [];
  const { checks, without, off } = rehearsal;
  if (off) return ["The rehearsal is turned off (task.rehearsal): nothing is held to the repository's own checks."];
  const tests = checks.filter(({ kind }) => kind === "test");
  return [
    ...(tests.length === 0 ? ["The repository declares no tests of its own."] : []),
    ...(without
      ? [
          `Its own tests ${tests.every(({ result }) => result === "cannot run") ? "cannot be run here" : "show nothing"}, and you go on without them.`,
        ]
      : []),
    ...checks.flatMap((check) => {
      const { kind, command, result, tests: counts, flaky = [], needs = [] } = check;
      return [
        ...(result === "red" ? [`${command} is red already${redText(check)}.`] : []),
        ...(result === "works" || result === "red"
          ? []
          : [
              `${command} is left out: it ${said[result]}${needs.length > 0 ? ` (the CI gives it ${needs.join(", ")})` : ""}.`,
            ]),
        ...(result === "works" && kind === "test" && counts?.passed === 0
          ? [`${command} runs no test as it stands.`]
          : []),
        ...(result === "works" && kind === "test" && !comparable(check) && counts?.passed !== 0
          ? [`${command} names no tests: only its exit code is known.`]
          : []),
        ...(flaky.length > 0 ? [`${named("Flaky, red once and green once", flaky)}.`] : []),
      ];
    }),
  ];
}

function redText(check: RehearsedCheck): string {
  if (check.kind !== "test") return ", and is left out";
  if (!comparable(check)) return " and names no tests, so it shows nothing and is left out";
  const count = (check.redBefore ?? []).length;
  return `: ${count} ${count === 1 ? "test" : "tests"}`;
}

const said = {
  "cannot fail": "passes also in a copy of the repository whose files are all broken, so it shows nothing",
  "cannot run": "cannot run here",
  "did not end": "did not end in time",
  "not allowed": "is not allowed without asking",
  "no time": "was not reached in the time of the rehearsal (task.rehearsal)",
} as const;
