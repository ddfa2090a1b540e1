// What the plan's commands do is said in files. Where the work has changed one of them, "green" means something else than before.
import path from "node:path";
import { membersOf } from "../../../base/json-text.ts";
import { definesChecks } from "../../../io/facts/manifests.ts";
import type { Plan } from "../../../protocol/plan.ts";
import type { TaskRecord } from "../../../protocol/task.ts";
import { type Differing, Repository } from "../world/git.ts";
import { scriptsOf } from "./sources/package-scripts.ts";

const longestScript = 120;

/** Read by linters, hooks and the CI. */
const defines =
  /^(?:\.(?:ci|husky|circleci)|\.github\/workflows)\/|(?:^|\/)(?:\.gitlab-ci\.yml|\.pre-commit-config\.yaml|Jenkinsfile|\.lintstagedrc[\w.]*|\.eslintrc[\w.]*|\.oxlintrc\.json|biome\.jsonc?|tsconfig[\w.-]*\.json)$/;
/** What tests are, and what they take in. */
const tests =
  /(?:^|\/)(?:tests?|__tests__|specs?|fixtures|__fixtures__|testdata)\/|(?:^|\/)test_[^/]*\.py$|[._-](?:test|spec)\.\w+$|_test\.(?:go|py|dart)$|Tests?\.(?:java|kt)$/;
const snapshots = /(?:^|\/)__snapshots__\/|\.snap$/;

export const isDefinition = (file: string): boolean => defines.test(file) || definesChecks(path.posix.basename(file));

/** A test, or a snapshot that tests are held against; what settings say of checks is neither. */
export const isTest = (file: string): boolean => snapshots.test(file) || (tests.test(file) && !isDefinition(file));

/** Whether what a check says depends on this changed file, besides the work itself. `existed`: before the change, too. */
export const decidesChecks = (file: string, existed: boolean): boolean =>
  isDefinition(file) || snapshots.test(file) || (existed && tests.test(file));

/** What the person has to know of a plan that changes what its own checks are told. */
export function settingsNotes({ files, settings = [] }: Pick<Plan, "files" | "settings">): string[] {
  const counts = (file: string) =>
    isDefinition(file) && !file.startsWith(".github/") && path.posix.basename(file) !== "package.json";
  const changed = files
    .filter(({ path: file, action }) => action !== "create" && (counts(file) || settings.includes(file)))
    .map((each) => each.path);
  const [free, held] = [true, false].map((named) => changed.filter((file) => settings.includes(file) === named));
  return [
    ...(held?.length
      ? [`The plan changes settings of checks: ${held.join(", ")}. The checks have to pass with the old ones, too.`]
      : []),
    ...(free?.length
      ? [
          `The plan may loosen checks by ${free.join(", ")}: the work is not held to ${free.length === 1 ? "it" : "them"} as before.`,
        ]
      : []),
  ];
}

/** Files that say what checks are and have changed so that it counts; a dependency more says nothing of the checks. */
export async function changedSettings(
  { worktree, envelope }: TaskRecord,
  changed: readonly Differing[],
): Promise<Differing[]> {
  const work = new Repository(worktree?.folder ?? "");
  const counts = async ({ path: file }: Differing): Promise<boolean> => {
    if (!isDefinition(file) || file.startsWith(".github/")) return false;
    const [before, now] = [await work.text(envelope?.base.commit ?? "", file), await work.text("HEAD", file)];
    if (path.posix.basename(file) === "package.json") return inPackage(file, before, now).length > 0;
    return !describesOnly(file, before, now);
  };
  const found: Differing[] = [];
  for (const each of changed) if (await counts(each)) found.push(each);
  return found;
}

/** A line for each file that says what a check is and is not as it was at the base: what a person has to know of it. */
export async function changedDefinitions({ worktree, envelope, locks = [] }: TaskRecord): Promise<string[]> {
  if (!worktree || !envelope) return [];
  const work = new Repository(worktree.folder);
  const changed = (await work.differing(envelope.base.commit)).map((each) => each.path);
  const found: string[] = [];
  const locked = new Set(locks.map((lock) => lock.path));
  for (const file of changed.filter((name) => !locked.has(name))) {
    const [before, now] = [await work.text(envelope.base.commit, file), await work.text("HEAD", file)];
    if (path.posix.basename(file) === "package.json") found.push(...inPackage(file, before, now));
    else if (decidesChecks(file, before !== undefined) && !describesOnly(file, before, now))
      found.push(`${file} ${before === undefined ? "is new" : now === undefined ? "is gone" : "was changed"}`);
  }
  return found;
}

const described =
  /^\s*(?:version|name|description|authors|maintainers|readme|license|keywords|homepage|repository)\s*=/;

/** Only what describes the package differs, such as its version. */
export function describesOnly(file: string, before: string | undefined, now: string | undefined): boolean {
  if (!/(?:^|\/)(?:pyproject|Cargo)\.toml$/.test(file) || before === undefined || now === undefined) return false;
  const [was, is] = [before.split("\n"), now.split("\n")];
  const differing = [...was.filter((line) => !is.includes(line)), ...is.filter((line) => !was.includes(line))];
  return differing.length > 0 && differing.every((line) => described.test(line));
}

/** Dependencies and what describes the package define no check. */
const describes =
  /^(?:name|version|description|keywords|license|author|contributors|repository|bugs|homepage|funding|files|private|publishConfig|\w*[dD]ependencies|scripts)$/;

function inPackage(file: string, before: string | undefined, now: string | undefined): string[] {
  const [was, is] = [scriptsOf(before), scriptsOf(now)];
  const shown = (script: unknown) => (typeof script === "string" ? `“${script.slice(0, longestScript)}”` : "not there");
  const scripts = [...new Set([...Object.keys(was), ...Object.keys(is)])]
    .filter((name) => was[name] !== is[name])
    .map((name) => `${file}: the script ${name} was ${shown(was[name])} and is ${shown(is[name])}`);
  const [older, newer] = [membersOf(before ?? ""), membersOf(now ?? "")];
  const settings = [...new Set([...Object.keys(older), ...Object.keys(newer)])]
    .filter((name) => !describes.test(name) && JSON.stringify(older[name]) !== JSON.stringify(newer[name]))
    .map((name) => `${file}: ${name} was changed`);
  return [...scripts, ...settings];
}
