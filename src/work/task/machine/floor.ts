// The floor of all evidence: the repository's own suite, linter and types, whatever the plan says of them.
import { unwrapped } from "../../../base/report-wrapper.ts";
import type { RehearsedCheck } from "../../../protocol/rehearsal.ts";
import type { TaskRecord } from "../../../protocol/task.ts";
import { filled } from "../stacks/suite.ts";

/** Those that were seen to run on the untouched base. A linter that was red there, or a suite that is red and names no test, is a departure. */
export const floorOf = ({ rehearsal }: Pick<TaskRecord, "rehearsal">): RehearsedCheck[] =>
  (rehearsal?.checks ?? []).filter(
    (check) => check.result === "works" || (check.result === "red" && comparable(check)),
  );

/** What stands for the tests of a runner that names none. */
export const wholeRun = "the whole run";

/** Whether its tests can be compared by name: without names, red before and red after say the same whatever broke. */
export const comparable = ({ kind, green = [], redBefore = [], flaky = [] }: RehearsedCheck): boolean =>
  kind === "test" && [...green, ...redBefore, ...flaky].some((name) => name !== wholeRun);

/**
 * Whether running the one says all that the other would: the same words but for the variables, the starter and the kind of
 * report. What was seen to work goes before what is planned: `pytest` may only work as `PYTHONPATH=src python3 -m pytest`.
 */
export const isSame = ({ command, run }: RehearsedCheck, planned: string | undefined): boolean =>
  planned !== undefined &&
  [run, command].some(
    (each) => isSameRun(each, planned) || isSameRun(withoutVariables(each), withoutVariables(planned)),
  );

/**
 * The checks of the floor that say together what a planned command would say: the same one, or the parts of the chain that it
 * stands for, which have all run on the base. None where it says something of its own.
 */
export function standFor({ rehearsal }: Pick<TaskRecord, "rehearsal">, planned: string | undefined): RehearsedCheck[] {
  if (planned === undefined) return [];
  const floor = floorOf({ ...(rehearsal && { rehearsal }) });
  const own = floor.find((check) => isSame(check, planned));
  if (own) return [own];
  const parts = (rehearsal?.checks ?? []).filter(({ partOf = [] }) =>
    partOf.some((chain) => isSameRun(chain, planned)),
  );
  return parts.every(({ result }) => result === "works" || result === "red")
    ? parts.filter((check) => floor.includes(check))
    : [];
}

/**
 * A linter, a type check or a build that the plan names and that was red before the work: the pages say that it is left out, so
 * nothing waits for it. Where to make it green is what is asked for, the plan says so by its acceptance.
 */
export const leftOutAsRed = ({ rehearsal }: Pick<TaskRecord, "rehearsal">, planned: string | undefined): boolean =>
  (rehearsal?.checks ?? []).some((check) => check.kind !== "test" && check.result === "red" && isSame(check, planned));

/** Whether they run the same: only the starter and the form of the report differ. */
export function isSameRun(run: string, planned: string): boolean {
  const wanted = bare(planned);
  return run === planned.trim() || (wanted !== "" && bare(unwrapped(run)) === wanted);
}

const withoutVariables = (command: string): string =>
  unwrapped(command.trim()).replace(/^(cd \S+ && )?(?:\w+=\S+ )+/, "$1");

/** Without what only serves to read its report. */
export const plainly = (run: string): string =>
  unwrapped(run).replaceAll(
    / (?:--reporter=json|--reporter json|--json|--outputFile="\$r"|--junitxml="\$r"|-p no:cacheprovider|--test-reporter=tap|--color never)(?= |$)/g,
    "",
  );

/** How one file, one test and the coverage of a suite that runs here are had. */
export const partsOf = ({ result, one, named, coverage }: RehearsedCheck): string[] =>
  result !== "works" && result !== "red"
    ? []
    : Object.entries({ "one file": one, "one test": named, coverage }).flatMap(([what, text]) =>
        text === undefined ? [] : [`${what}: ${filled(plainly(text), "FILE", "NAME")}`],
      );

/** The same for a mission that writes: what it need not find out by trying. */
export const partLines = ({ rehearsal }: Pick<TaskRecord, "rehearsal">): string[] => {
  const parts = (rehearsal?.checks ?? [])
    .filter(({ kind }) => kind === "test")
    .map((check) => partsOf(check).join("; "));
  const red = [...new Set((rehearsal?.checks ?? []).flatMap(({ redBefore = [] }) => redBefore))].filter(
    (name) => name !== wholeRun,
  );
  return [
    ...[...new Set(parts)].filter(Boolean).map((text) => `The tests work here in parts, too: ${text}`),
    ...(red.length > 0
      ? [`${named("Red before the work already, and not yours unless the task is about them", red)}.`]
      : []),
  ];
};

const reporting =
  / (?:--reporter[= ]\S+|--json|--outputFile=\S+|--junitxml=\S+|-p no:cacheprovider|--test-reporter=\S+|--color never|--colou?r=\S+|--no-fail-fast|--offline|--tb=\S+|-json|-count=1|-q|-qq|-v|-vv|--quiet|--verbose|--silent|--run)(?= |$)/g;

/** A pipe into what only shortens the output leaves the command what it is; any other grammar of a shell does not. */
function bare(command: string): string {
  const words = ` ${command.trim()}`.replace(/(?: 2>&1)? \| (?:tail|head)(?: -n)? ?-?\d+$/, "");
  if (/[|;<>&`(){}\\]/.test(words.replace(/^ cd \S+ && /, ""))) return "";
  return words
    .replaceAll(reporting, "")
    .replaceAll(reporting, "")
    .replace(
      /^( cd \S+ &&)?((?: \w+=\S+)*)(?: npx(?: --no-install| --no)?)?(?: python[\d.]* -m)? (?:\.?\/?(?:[\w.-]+\/)*node_modules\/\.bin\/)?/,
      "$1$2 ",
    )
    .replace(/ (vitest) run(?= |$)/, " $1")
    .trim();
}

const mostNamed = 10;

/** Names behind what is said of them; nothing where there are none. */
export const named = (what: string, names: readonly string[]): string =>
  names.length === 0
    ? ""
    : `${what}: ${names.slice(0, mostNamed).join(", ")}${names.length > mostNamed ? ` and ${names.length - mostNamed} more` : ""}`;

/** What a person has to know of evidence that is less than the repository's own: at the plan, and at the result. */
export function departures({ rehearsal, intent, plan }: Pick<TaskRecord, "rehearsal" | "intent" | "plan">): string[] {
  if (!rehearsal) return [];
  if (rehearsal.documents) return ["Only documents change: no test is written, and none is run."];
  const { checks, without, off, untried } = rehearsal;
  if (off) return ["The rehearsal is turned off (task.rehearsal): nothing is held to the repository's own checks."];
  const tests = checks.filter(({ kind }) => kind === "test");
  return [
    ...(intent?.docsOnly ? ["Only documents change: no test is written first."] : []),
    ...(tests.length === 0 ? ["The repository declares no tests of its own."] : []),
    ...(without
      ? [
          `Its own tests ${tests.every(({ result }) => result === "cannot run") ? "cannot be run here" : "show nothing"}, and you go on without them.`,
        ]
      : []),
    ...checks.flatMap((check) => {
      const { kind, command, result, tests: counts, flaky = [], needs = [] } = check;
      return [
        ...[check.behind, check.copy].flatMap((each) => (each === undefined ? [] : [`${each}.`])),
        ...(result === "red" ? [`${command} is red already${redText(check)}.`] : []),
        ...(result === "not allowed" && isPlanned(check, plan)
          ? [
              `${command} was not tried before the plan, as it would have to be asked for: the plan runs it, and what was red before it is not known.`,
            ]
          : []),
        ...(result === "works" || result === "red" || (result === "not allowed" && isPlanned(check, plan))
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
    ...untriedText(untried),
  ];
}

const isPlanned = (check: RehearsedCheck, plan: TaskRecord["plan"]): boolean =>
  plan !== undefined && Object.values(plan.commands).some((text) => isSame(check, text));

/** What the repository runs as a check and fettle does not. */
export const untriedText = (untried: readonly string[] = []): string[] =>
  untried.length === 0
    ? []
    : [`${named("The repository runs these beside its checks, and they are not tried", untried)}.`];

function redText(check: RehearsedCheck): string {
  if (check.kind !== "test") return ", and is left out";
  if (!comparable(check)) return " and names no tests, so it shows nothing and is left out";
  const names = check.redBefore ?? [];
  const more = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : "";
  return `: ${names.length} ${names.length === 1 ? "test" : "tests"} (${names.slice(0, mostNamed).join(", ")}${more})`;
}

const said = {
  "cannot fail": "passes also in a copy of the repository whose files are all broken, so it shows nothing",
  "cannot run": "cannot run here",
  "installed copy": "tests an installed copy, which no change here reaches",
  "did not end": "did not end in time",
  "not allowed": "would have to be asked for, and a rehearsal asks nothing",
  "no time": "was not reached in the time of the rehearsal (task.rehearsal)",
} as const;
