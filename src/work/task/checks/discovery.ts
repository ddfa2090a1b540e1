// The repository map: what there is, by looking at names and manifests only. What it reads may be hostile, so all is bounded.
import { digestOf } from "../../../base/digest.ts";
import { escapeLine } from "../../../base/escape.ts";
import type { RepositoryMap } from "../../../protocol/task.ts";
import { frameworksOf } from "./frameworks.ts";
import type { Repository } from "../world/git.ts";
import { languageOf } from "../world/languages.ts";
import { lookAt, stacksOf } from "../stacks/list.ts";
import { testCommandsOf } from "./test-commands.ts";

const entries =
  /(?:^|\/)(?:(?:main|index|app|server|cli|__main__|manage|wsgi|asgi)\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|dart)|[A-Z]\w*Application\.(?:java|kt)|Program\.cs)$|(?:^|\/)src\/bin\/[^/]+\.rs$/;
const ci =
  /^(?:\.(?:github|gitea|forgejo)\/workflows\/[^/]+\.ya?ml|\.gitlab-ci\.ya?ml|\.ci\/run|Jenkinsfile|azure-pipelines\.ya?ml|\.circleci\/config\.ya?ml|\.travis\.ya?ml|bitbucket-pipelines\.ya?ml|\.woodpecker(?:\/[^/]+)?\.ya?ml|\.buildkite\/pipeline\.ya?ml|\.drone\.ya?ml|\.cirrus\.ya?ml)$/;
/** Somebody else's, though it is committed. */
const foreign = /(?:^|\/)(?:node_modules|vendor|third_party|\.venv|venv|dist|target|\.yarn)\//;
const aside = /(?:^|\/)(?:tests?|__tests__|fixtures?|testdata|examples|docs)\//;
const mostNamed = 20;

export async function mapRepository(repository: Repository, revision: string): Promise<RepositoryMap> {
  const files = await repository.files(revision);
  const own = files.filter((file) => !foreign.test(file));
  const look = await lookAt(own, (name) => repository.text(revision, name));
  const map = {
    files: files.length,
    folders: counted(own, folderOf).slice(0, mostNamed),
    languages: counted(own, languageOf).map(({ name, files: count }) => ({ language: name, files: count })),
    stacks: stacksOf(own),
    frameworks: frameworksOf(look),
    entryPoints: shallow(own.filter((file) => entries.test(file) && !aside.test(file))).slice(0, mostNamed),
    testCommands: await testCommandsOf(look),
    ci: files.filter((file) => ci.test(file)).slice(0, mostNamed),
  };
  return { ...map, digest: digestOf({ ...map, names: files }) };
}

/** By how many there are of each, and then by name. */
function counted(
  files: readonly string[],
  nameOf: (file: string) => string | undefined,
): { name: string; files: number }[] {
  const counts = new Map<string, number>();
  for (const file of files) {
    const name = nameOf(file);
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts]
    .map(([name, count]) => ({ name, files: count }))
    .toSorted((left, right) => right.files - left.files || (left.name < right.name ? -1 : 1));
}

/** The folder at the top; two levels where the first only gathers others. */
function folderOf(file: string): string | undefined {
  const [first, second, ...more] = file.split("/");
  if (first === undefined || second === undefined) return undefined;
  return /^(?:packages|apps|libs|services|modules|crates|cmd|internal|pkg|projects|plugins|src)$/.test(first) &&
    more.length > 0
    ? `${first}/${second}`
    : first;
}

const depth = (file: string): number => file.split("/").length;
const shallow = (files: readonly string[]): string[] => files.toSorted((left, right) => depth(left) - depth(right));

const longestName = 200;

/** A file's name is chosen by whoever made it: it stays one line, and short. */
function shown(name: string): string {
  const line = escapeLine(name);
  return line.length > longestName ? `${line.slice(0, longestName)}…` : line;
}

/** For the model that plans. */
export function mapText(map: RepositoryMap): string {
  const list = (title: string, values: readonly string[]) =>
    values.length > 0 ? [`${title}: ${values.map(shown).join(", ")}`] : [];
  return [
    `${map.files} files`,
    ...list(
      "Folders",
      map.folders.map(({ name, files }) => `${name} (${files})`),
    ),
    ...list(
      "Languages",
      map.languages.slice(0, 6).map(({ language, files }) => `${language} (${files})`),
    ),
    ...list("Stacks", map.stacks),
    ...list("Frameworks", map.frameworks),
    ...list("Entry points", map.entryPoints),
    ...list("Test commands", map.testCommands),
    ...list("CI", map.ci),
  ].join("\n");
}
