// The floor of all evidence: the repository's own suite, linter and types, whatever the plan says of them.
import type { RehearsedCheck } from "../../../protocol/rehearsal.ts";
import type { TaskRecord } from "../../../protocol/task.ts";

/** Those that were seen to run on the untouched base; a linter that was red there is a departure. */
export const floorOf = ({ rehearsal, intent }: Pick<TaskRecord, "rehearsal" | "intent">): RehearsedCheck[] =>
  intent?.docsOnly
    ? []
    : (rehearsal?.checks ?? []).filter(
        ({ kind, result }) => result === "works" || (result === "red" && kind === "test"),
      );

/** Whether running the one says all that the other would. */
export const isSame = ({ command, run }: RehearsedCheck, planned: string | undefined): boolean =>
  planned !== undefined && [command, run, run.replace(" --test-reporter=tap", "")].includes(planned.trim());

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
    ...(without ? ["Its own tests cannot be run here, and you go on without them."] : []),
    ...checks.flatMap(({ kind, command, result, redBefore = [], flaky = [], needs = [] }) => [
      ...(result === "red"
        ? [
            `${command} is red already${kind === "test" ? `: ${redBefore.length} ${redBefore.length === 1 ? "test" : "tests"}` : ", and is left out"}.`,
          ]
        : []),
      ...(result === "works" || result === "red"
        ? []
        : [
            `${command} is left out: it ${said[result]}${needs.length > 0 ? ` (the CI gives it ${needs.join(", ")})` : ""}.`,
          ]),
      ...(flaky.length > 0 ? [`${named("Flaky, red once and green once", flaky)}.`] : []),
    ]),
  ];
}

const said = {
  "cannot run": "cannot run here",
  "did not end": "did not end in time",
  "not allowed": "is not allowed without asking",
  "no time": "was not reached in the time of the rehearsal (task.rehearsal)",
} as const;
