// Runs what a repository declares to check itself with, and says of each whether it works here.
import type { Rehearsal, RehearsedCheck } from "../../../protocol/task.ts";
import { telling } from "../healing/telling.ts";
import { readReport, type TestReport } from "../proof/report.ts";
import type { CommandRun } from "../world/commands.ts";
import type { OwnCheck } from "./own-checks.ts";

export type Runner = (command: string) => Promise<CommandRun>;

const longestSaid = 600;
const mostNames = 2000;

/** A suite that is red is run again: a test that is red once and green once is flaky, and no evidence of anything. */
export async function rehearse(check: OwnCheck, run: Runner, clock: () => number): Promise<RehearsedCheck> {
  const begun = clock();
  const first = await attempted(check, run);
  const ms = clock() - begun;
  const { found, proof } = first;
  const report = check.kind === "test" ? readReport(proof.format, found.output, undefined, found.exit) : undefined;
  const base = {
    ...{ kind: check.kind, command: check.command, from: check.from, run: proof.command, format: proof.format },
    ...{ exit: found.exit, ms },
  };
  if (found.ended === "refused") return { ...base, result: "not allowed", said: telling(found.output, longestSaid) };
  if (found.ended !== "exited") return { ...base, result: "did not end", said: telling(found.output, longestSaid) };
  const lacks = lacking(found, report);
  if (lacks !== undefined) return { ...base, result: "cannot run", said: lacks };
  if (!report) return { ...base, result: found.exit === 0 ? "works" : "red", ...saidBy(found) };
  const counts = countsOf(report);
  if (found.exit === 0) return { ...base, result: "works", ...counts };
  return { ...base, result: "red", ...counts, ...saidBy(found), ...(await judgedAgain(run, proof, report)) };
}

const saidBy = (run: CommandRun) => (run.exit === 0 ? {} : { said: telling(run.output, longestSaid) });

interface Attempt {
  found: CommandRun;
  proof: OwnCheck["run"];
}

/** A package below src is found once Python is told to look there. */
async function attempted({ run: proof }: OwnCheck, run: Runner): Promise<Attempt> {
  const found = await run(proof.command);
  const own = /No module named '(\w+)/.test(found.output) && /python3 -m (?:pytest|unittest)/.test(proof.command);
  if (found.exit === 0 || !own || proof.command.includes("PYTHONPATH=")) return { found, proof };
  const other = { ...proof, command: proof.command.replace(/python3 -m /, "PYTHONPATH=src python3 -m ") };
  const again = await run(other.command);
  return /No module named '/.test(again.output) ? { found, proof } : { found: again, proof: other };
}

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

async function judgedAgain(run: Runner, proof: OwnCheck["run"], first: TestReport) {
  const again = async () => {
    const found = await run(proof.command);
    return new Set(readReport(proof.format, found.output, undefined, found.exit).failed);
  };
  const second = await again();
  const differs =
    first.failed.some((name) => !second.has(name)) || [...second].some((name) => !first.failed.includes(name));
  if (!differs) return {};
  const rounds = [new Set(first.failed), second, await again()];
  const names = new Set(rounds.flatMap((each) => [...each]));
  return { flaky: [...names].filter((name) => !rounds.every((each) => each.has(name))).slice(0, mostNames) };
}

/** What keeps every suite of the repository from running; undefined where one runs, or there is none. */
export function nothingRuns({ checks }: Rehearsal): string | undefined {
  const tests = checks.filter(({ kind }) => kind === "test");
  if (tests.length === 0 || tests.some(({ result }) => result !== "cannot run")) return undefined;
  return `None of the repository's own tests can be run here: ${tests.map(({ command, said }) => `${command} (${said ?? ""})`).join("; ")}.`;
}

/** A line for all of it, and one for each check: for whoever plans, and the person. */
export function rehearsalText({ checks, without }: Rehearsal): string[] {
  if (checks.length === 0) return ["the repository declares no checks of its own"];
  const lines = checks.map(checkText);
  const sum = checks.filter(({ result }) => result === "works").length;
  const head = `${sum} of ${checks.length} of the repository's own checks work on the untouched base`;
  return [head, ...lines, ...(without ? ["The person goes on without the tests that cannot be run."] : [])];
}

function checkText({
  kind,
  command,
  run,
  result,
  tests,
  redBefore = [],
  flaky = [],
  ms,
  said,
}: RehearsedCheck): string {
  const how = run.includes("PYTHONPATH=src") ? ", with PYTHONPATH=src" : "";
  const counts = tests ? `: ${tests.passed} passed, ${tests.failed} failed, ${tests.skipped} skipped` : "";
  const names = (title: string, list: readonly string[]) =>
    list.length === 0 ? "" : `; ${title}: ${list.slice(0, 10).join(", ")}${list.length > 10 ? " …" : ""}`;
  const why = result === "works" || said === undefined ? "" : ` (${said.split("\n").at(-1)?.trim() ?? ""})`;
  return `${command} (${kind}${how}): ${result === "red" ? "red already" : result}${counts}, ${Math.round(ms / 100) / 10} s${names("red", redBefore)}${names("flaky", flaky)}${tests ? "" : why}`;
}
