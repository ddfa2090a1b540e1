// Runs what a repository declares to check itself with, and says of each whether it works here.
import type { Rehearsal, RehearsedCheck } from "../../../protocol/rehearsal.ts";
import { telling } from "../healing/telling.ts";
import { comparable, partsOf, plainly, untriedText } from "../machine/floor.ts";
import { readReport, type TestReport } from "../proof/report.ts";
import type { CommandRun } from "../world/commands.ts";
import type { Suite } from "../stacks/suite.ts";
import type { OwnCheck } from "./own-checks.ts";

export type Runner = (command: string) => Promise<CommandRun>;

const longestSaid = 600;
const mostNames = 2000;

/** A suite that is red is run again: a test that is red once and green once is flaky, and no evidence of anything. */
export async function rehearse(check: OwnCheck, run: Runner, clock: () => number): Promise<RehearsedCheck> {
  const { found, proof, ms, before = [] } = await attempted(check, run, clock);
  const report = check.kind === "test" ? readReport(proof.format, found.output, undefined, found.exit) : undefined;
  const base = { ...undone(check, proof), exit: found.exit, ms };
  if (found.ended === "refused") return { ...base, result: "not allowed", said: telling(found.output, longestSaid) };
  if (found.ended !== "exited") return { ...base, result: "did not end", said: telling(found.output, longestSaid) };
  const lacks = lacking(found, report);
  if (lacks !== undefined) return { ...base, result: "cannot run", said: [lacks, ...before].join("; ") };
  if (!report) return { ...base, result: found.exit === 0 ? "works" : "red", ...saidBy(found) };
  const counts = countsOf(report);
  if (found.exit === 0) return { ...base, result: "works", ...counts };
  const flaky = await judgedAgain(run, proof, report);
  if (flaky.length === 0) return { ...base, result: "red", ...counts, ...saidBy(found) };
  // Never red before: nothing that is red on the commit is excused by it.
  const redBefore = (counts.redBefore ?? []).filter((name) => !flaky.includes(name));
  const result = redBefore.length > 0 ? "red" : "works";
  return { ...base, result, ...counts, redBefore, flaky, ...(result === "red" && saidBy(found)) };
}

/**
 * A chain that ends at its end says it of all its parts. Any other is tried part by part: what stands behind one that is red
 * would never be run, neither on the base nor on the commit.
 */
export async function inParts(
  check: OwnCheck,
  tried: (check: OwnCheck) => Promise<RehearsedCheck>,
): Promise<RehearsedCheck[]> {
  const whole = await tried(check);
  const { parts } = check;
  if (!parts) return [whole];
  const { checks, closed, loose } = parts;
  const clean = whole.result === "works" && (whole.flaky ?? []).length === 0 && !loose;
  if (clean) return [{ ...whole, chain: true }];
  if (whole.result === "no time") return [whole];
  const found: RehearsedCheck[] = [];
  for (const part of checks) found.push(await tried(part));
  const open = closed.length > 0 || found.length === 0;
  if (found.length === 0) found.push(whole);
  const stop = found.find(({ result }) => result !== "works")?.command ?? check.command;
  const behind = `${check.command} ${stop === check.command ? "ends early" : `stops at ${stop}`}: ${closed.join("; ")} was not run by itself`;
  return open ? found.map((each, at) => (at === 0 ? { ...each, behind } : each)) : found;
}

/** What is known of a check before it has run. */
export const undone = (
  { kind, command, from, needs, partOf }: OwnCheck,
  { command: run, format, one, named, coverage }: Suite,
) => ({
  ...{ kind, command, from, run, format },
  ...(one !== undefined && { one }),
  ...(named !== undefined && { named }),
  ...(coverage !== undefined && { coverage }),
  ...(partOf !== undefined && { partOf }),
  ...(needs.length > 0 && { needs }),
});

const saidBy = (run: CommandRun) => (run.exit === 0 ? {} : { said: telling(run.output, longestSaid) });

interface Attempt {
  found: CommandRun;
  proof: Suite;
  ms: number;
  /** What its other forms have come to. */
  before?: string[];
}

/** As it is declared, else in the first of its other forms with which it works: other variables, another interpreter. */
async function attempted(check: OwnCheck, run: Runner, clock: () => number): Promise<Attempt> {
  const attempt = async (proof: Suite): Promise<Attempt> => {
    const begun = clock();
    const found = await run(proof.command);
    return { found, proof, ms: clock() - begun };
  };
  const first = await attempt(check.run);
  let best = first;
  const before: string[] = [];
  for (const other of check.others.slice(0, mostOthers)) {
    if (passedOf(check, best) > 0 || best.found.exit === 0 || best.found.ended !== "exited") return best;
    const next = await attempt(other);
    if (next.found.exit === 0 || passedOf(check, next) > 0) best = next;
    const said = telling(next.found.output, longestSaid).trim().split("\n").at(-1) ?? "";
    before.push(`${plainly(other.command)} does not run either: ${said.trim() || `exit ${next.found.exit}`}`);
  }
  return { ...best, before };
}

const mostOthers = 6;

const passedOf = ({ kind }: OwnCheck, { found, proof }: Attempt): number =>
  kind === "test" ? readReport(proof.format, found.output, undefined, found.exit).passed : 0;

const notThere =
  /(?:^|\n).*(?:command not found|: not found|No module named (?:pytest|unittest|tox|nox|mypy|ruff)\b|is not installed|[Mm]issing script|Could not find (?:a version|executable)|ERR_MODULE_NOT_FOUND|Cannot find (?:module|package)).*/;

/** What keeps it from running at all: a program or a package that is not there. */
function lacking({ exit, output }: CommandRun, report: TestReport | undefined): string | undefined {
  if (exit === 0) return undefined;
  if (exit !== 127 && report && report.cases.some(({ outcome }) => outcome === "passed" || outcome === "assertion"))
    return undefined;
  const line = notThere.exec(output)?.[0].trim();
  return line === undefined ? undefined : line.slice(0, longestSaid);
}

function countsOf({
  passed,
  skipped,
  failed,
  cases,
}: TestReport): Pick<RehearsedCheck, "tests" | "green" | "redBefore"> {
  const green = cases.filter(({ outcome }) => outcome === "passed").map(({ name }) => name);
  return {
    tests: { passed, failed: failed.length, skipped },
    green: green.slice(0, mostNames),
    redBefore: failed.slice(0, mostNames),
  };
}

async function judgedAgain(run: Runner, proof: Suite, first: TestReport): Promise<string[]> {
  const again = async () => {
    const found = await run(proof.command);
    return new Set(readReport(proof.format, found.output, undefined, found.exit).failed);
  };
  const second = await again();
  const differs =
    first.failed.some((name) => !second.has(name)) || [...second].some((name) => !first.failed.includes(name));
  if (!differs) return [];
  const rounds = [new Set(first.failed), second, await again()];
  const names = new Set(rounds.flatMap((each) => [...each]));
  return [...names].filter((name) => !rounds.every((each) => each.has(name))).slice(0, mostNames);
}

/** What keeps every suite of the repository from running; undefined where one runs, or there is none. */
export function nothingRuns({ checks }: Rehearsal): string | undefined {
  const tests = checks.filter(({ kind }) => kind === "test");
  const tells = (check: RehearsedCheck) =>
    check.result === "red"
      ? comparable(check)
      : !["cannot run", "cannot fail", "installed copy"].includes(check.result);
  if (tests.length === 0 || tests.some(tells)) return undefined;
  if (tests.every(({ result }) => result === "cannot run"))
    return `None of the repository's own tests can be run here: ${tests.map(({ command, said }) => `${command} (${said ?? ""})`).join("; ")}.`;
  return `None of the repository's own tests can show what a change breaks: ${tests.map(uselessText).join("; ")}.`;
}

const uselessText = ({ command, result, said = "" }: RehearsedCheck): string =>
  result === "cannot run" || result === "installed copy"
    ? `${command} ${result === "cannot run" ? "cannot run" : "tests an installed copy"} (${said})`
    : result === "cannot fail"
      ? `${command} passes also where every file is broken`
      : `${command} is red already and names no tests (${said.split("\n").at(-1)?.trim() ?? ""})`;

/** A line for all of it, and one for each check: for whoever plans, and the person. */
export function rehearsalText({
  checks,
  without,
  off,
  documents,
  matrix = [],
  tools = [],
  untried: named = [],
}: Rehearsal): string[] {
  if (off) return ["the rehearsal is turned off: nothing of the repository's own was tried"];
  if (documents)
    return [
      "nothing was tried, as only documents seem to change; where more has to change, plan that, and they are tried",
    ];
  if (checks.length === 0) return ["the repository declares no checks of its own"];
  const sum = checks.filter(({ result }) => result === "works").length;
  const nearly = checks.filter((check) => check.result === "red" && comparable(check));
  const red = nearly.flatMap(({ redBefore = [] }) => redBefore).length;
  const but =
    nearly.length === 0
      ? ""
      : `, ${nearly.length} of them but for ${red === 1 ? "a test that is" : `${red} tests that are`} red already`;
  return [
    `${sum + nearly.length} of ${checks.length} of the repository's own checks work on the untouched base${but}${untried(checks)}`,
    ...checks.map(checkText),
    ...checks.flatMap(({ behind, copy }) => [behind, copy].flatMap((each) => (each === undefined ? [] : [`${each}.`]))),
    ...untriedText(named),
    ...(matrix.length > 0 ? [`The CI also varies: ${matrix.join("; ")}.`] : []),
    ...(tools.length > 0 ? [`Here: ${tools.map(({ name, version }) => `${name} ${version}`).join(", ")}.`] : []),
    ...(without ? ["The person goes on without the tests that cannot be run."] : []),
  ];
}

/** What was not run is not known to fail. */
function untried(checks: readonly RehearsedCheck[]): string {
  const count = checks.filter(({ result }) => result === "not allowed" || result === "no time").length;
  return count === 0 ? "" : `, ${count} ${count === 1 ? "was" : "were"} not tried`;
}

const mostInLine = 10;

function checkText(check: RehearsedCheck): string {
  const { kind, command, from, run, result, tests, redBefore, flaky, ms, said, needs } = check;
  const plain = plainly(run);
  const names = (title: string, list: readonly string[] = []) =>
    list.length === 0
      ? ""
      : `; ${title}: ${list.slice(0, mostInLine).join(", ")}${list.length > mostInLine ? " …" : ""}`;
  const unnamed = kind === "test" && tests && tests.passed + tests.failed > 0 && !comparable(check);
  const counts = unnamed
    ? ", and names no tests: only its exit code is known"
    : tests
      ? `: ${tests.passed} passed, ${tests.failed} failed, ${tests.skipped} skipped`
      : "";
  const why = result === "works" || said === undefined ? "" : ` (${said.split("\n").at(-1)?.trim() ?? ""})`;
  return [
    `${command} (${kind}, ${from}): ${result === "red" ? "red already" : result}${counts}`,
    `, ${Math.round(ms / 100) / 10} s${names("red", redBefore)}${names("flaky", flaky)}${tests && result !== "installed copy" ? "" : why}`,
    ...(plain === command || result === "cannot run" ? [] : [`; runs as: ${plain}`]),
    ...partsOf(check).map((part) => `; ${part}`),
    ...(needs && result !== "works" ? [`; not here: ${needs.join(", ")}`] : []),
  ].join("");
}
