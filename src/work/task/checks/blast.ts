// How far a plan reaches: what it touches, who depends on that, and which tests know it. By names only, over the base tree.
import type { BlastRadius, Plan } from "../../../protocol/plan.ts";
import type { Repository } from "../world/git.ts";
import { plannedCommands } from "../machine/plan.ts";

const mostSearched = 12;
const mostDependents = 200;
/** What a new file is taken to be. */
const newLines = 40;

const runLater =
  /(?:^|\/)(?:package\.json|Makefile|Dockerfile|[^/]+\.config\.[cm]?[jt]s|conftest\.py|build\.rs|setup\.py|pyproject\.toml|\.npmrc|\.envrc)$|^\.github\/|^\.husky\//;
const tests =
  /(?:^|\/)(?:tests?|__tests__|spec|specs)\/|[._-](?:test|spec)s?\.[^/]+$|(?:^|\/)test_[^/]+$|Tests?\.[a-z]+$/;
const source = /\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|dart|rb|php|cs|swift)$/;

export const isTest = (path: string): boolean => tests.test(path);

export async function blastRadius(
  repository: Pick<Repository, "text" | "mentions">,
  plan: Plan,
  { commit, files }: { commit: string; files: ReadonlySet<string> },
): Promise<BlastRadius> {
  const touched = plan.files.filter(({ action }) => action !== "create");
  const sources = touched.map(({ path }) => path).filter((path) => source.test(path) && !isTest(path));
  const dependents = new Set<string>();
  const covered = new Set<string>();
  const mentions = (path: string) => mentionsOf(repository, commit, path, files);
  for (const path of sources.slice(0, mostSearched)) {
    const found = await mentions(path);
    const users = found.filter((each) => !isTest(each));
    if (found.length > users.length || (await inTestBy(users, mentions))) covered.add(path);
    for (const each of users) dependents.add(each);
  }
  const planned = new Set(plan.files.map(({ path }) => path));
  const [toBe, open] = [true, false].map((inTest) =>
    sources.filter((path) => !covered.has(path) && isInTest(plan, path) === inTest),
  ) as [string[], string[]];
  const others = [...dependents].filter((path) => !planned.has(path)).toSorted();
  const counts = { lines: await linesOf(repository, plan, commit), share: shareOf(plan, files.size) };
  return {
    files: plan.files.length,
    lines: counts.lines,
    commands: new Set(plannedCommands(plan).map(({ text }) => text)).size,
    hosts: plan.hosts.length,
    dependents: others.slice(0, mostDependents),
    untested: open,
    ...(toBe.length > 0 && { toBeTested: toBe }),
    sources: sources.length,
    risk: riskOf(plan, { ...counts, dependents: others.length, untested: open.length }),
  };
}

const mostUsers = 4;

/** A test takes in what takes it in, as the tests of a package do that name only the package. */
async function inTestBy(users: readonly string[], mentions: (path: string) => Promise<string[]>): Promise<boolean> {
  for (const each of users.slice(0, mostUsers)) if ((await mentions(each)).some(isTest)) return true;
  return false;
}

const isInTest = (plan: Plan, path: string): boolean => plan.test?.subject.includes(path) ?? false;
const shareOf = ({ files }: Plan, all: number): number => (all > 0 ? files.length / all : 0);

/** A file that is changed may change as a whole; what is created is guessed. */
async function linesOf(repository: Pick<Repository, "text">, { files }: Plan, commit: string): Promise<number> {
  let sum = 0;
  for (const { path, action } of files.slice(0, mostSearched))
    sum += action === "create" ? newLines : ((await repository.text(commit, path)) ?? "").split("\n").length;
  return sum;
}

/** Each part says why it is a risk; a plan with none of them is a 1. */
export function riskOf(
  plan: Plan,
  reach: { lines: number; share: number; dependents: number; untested: number },
): number {
  const grave = plan.files.filter(({ path, action }) => action === "delete" || runLater.test(path)).length;
  const outward = plan.hosts.length + (plan.commands.install ? 1 : 0) + plan.migrate.length + plan.dependencies.length;
  const many = plan.files.length > 4 && reach.share > 0.25 ? 1 : 0;
  const size = Math.floor(plan.files.length / 5) + (reach.lines > 500 ? 2 : reach.lines > 200 ? 1 : 0);
  const depended = reach.dependents > 20 ? 3 : reach.dependents > 5 ? 2 : reach.dependents > 1 ? 1 : 0;
  return Math.min(10, 1 + size + grave + outward + many + depended + Math.min(2, reach.untested));
}

/** Files that name the module as an import would. */
async function mentionsOf(
  repository: Pick<Repository, "mentions">,
  commit: string,
  path: string,
  files: ReadonlySet<string>,
): Promise<string[]> {
  const pattern = importOf(path);
  if (pattern === undefined) return [];
  const found = await repository.mentions(commit, pattern);
  return found.filter((each) => each !== path && files.has(each) && source.test(each));
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** A POSIX pattern of the line that takes the module in, as its language writes it; a guess where only the name is known. */
export function importOf(path: string): string | undefined {
  const parts = path.split("/");
  const file = parts.pop() ?? "";
  const stem = file.replace(/\.[^.]+$/, "");
  const folder = parts.at(-1) ?? "";
  const index = /^(?:index|__init__|mod|lib|main)$/.test(stem);
  const name = escaped(index ? folder : stem);
  if (name === "") return undefined;
  if (/\.[cm]?[jt]sx?$/.test(file))
    return `(from|import|require)[^'"\`]*['"\`]([^'"\`]*/)?${name}(/index)?(\\.[a-z]+)?['"\`]`;
  if (file.endsWith(".py")) return `^[[:space:]]*(from|import)[[:space:]]+(.*[^[:alnum:]_])?${name}([^[:alnum:]_]|$)`;
  if (file.endsWith(".go")) return folder === "" ? undefined : `"([^"]*/)?${escaped(folder)}"`;
  if (file.endsWith(".rs")) return `(use|mod)[[:space:]]+(.*[^[:alnum:]_])?${name}([^[:alnum:]_]|$)`;
  if (file.endsWith(".dart")) return `(import|export|part)[[:space:]]+['"]([^'"]*/)?${escaped(file)}['"]`;
  return `(^|[^[:alnum:]_])${name}([^[:alnum:]_]|$)`;
}
