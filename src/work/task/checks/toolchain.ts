// What checks the work, besides the programs of the commands: linters with their versions, images of the CI. For the record.
import path from "node:path";
import { realFile } from "../../../io/folders/worktrees.ts";
import { programsOf } from "../../../guard/command-line/syntax/programs-of.ts";
import { argumentsOf } from "../../../guard/matching/words.ts";
import type { Repository } from "../world/git.ts";
import { textIn } from "../world/texts.ts";

type Version = { name: string; version: string };

const longestManifest = 256 * 1024;

/** Programs that the project's own dependencies bring, with the version that their manifest says. */
export async function installedTools(folder: string, commands: readonly string[]): Promise<Version[]> {
  const names = new Set(commands.flatMap(toolsIn));
  const found: Version[] = [];
  for (const name of [...names].toSorted()) {
    const version = await versionIn(path.join(folder, "node_modules"), name);
    if (version !== undefined) found.push({ name: `node_modules/${name}`, version });
  }
  return found;
}

function toolsIn(command: string): string[] {
  const runner = argumentsOf(command) ?? [];
  const at = runner.findIndex((word) => word === "npx" || word === "bunx");
  const ran = at < 0 ? undefined : runner.slice(at + 1).find((word) => word !== undefined && !word.startsWith("-"));
  return [...programsOf(command), ...(ran === undefined ? [] : [ran])]
    .map((program) => program.split("/").at(-1) ?? "")
    .filter((name) => /^\w[\w.-]*$/.test(name));
}

/** Through the link in `.bin` to the package that it belongs to. */
async function versionIn(modules: string, name: string): Promise<string | undefined> {
  const real = realFile(path.join(modules, ".bin", name));
  const inside = real?.split("/node_modules/").at(-1);
  if (real === undefined || inside === undefined) return undefined;
  const parts = inside.split("/");
  const own = parts.slice(0, parts[0]?.startsWith("@") ? 2 : 1);
  return manifestVersion(path.join(real.slice(0, real.length - inside.length), ...own));
}

/**
 * By the real file of a program: npm takes a quarter of a second to say its version, which its package says, too.
 * Undefined for any other program, which might ask the project for another version of itself.
 */
export async function npmVersion(file: string): Promise<string | undefined> {
  return /\/npm\/bin\/np[mx]-cli\.js$/.test(file) ? manifestVersion(path.dirname(path.dirname(file))) : undefined;
}

async function manifestVersion(folder: string): Promise<string | undefined> {
  const text = ((await textIn(folder, "package.json")) ?? "").slice(0, longestManifest);
  return /^\s*"version"\s*:\s*"([^"]{1,60})"/m.exec(text)?.[1] ?? /"version"\s*:\s*"([^"]{1,60})"/.exec(text)?.[1];
}

const workflows = /^\.github\/workflows\/[^/]+\.ya?ml$/;
const gitlab = /^\.gitlab-ci\.ya?ml$/;
const dockerfile = /(?:^|\/)(?:Dockerfile|Containerfile)(?:\.[\w-]+)?$/;
const mostFiles = 20;

/** Machines and images that the CI names, by file. */
export async function ciImages(
  repository: Pick<Repository, "text">,
  commit: string,
  files: readonly string[],
): Promise<Version[]> {
  const wanted = files.filter((file) => workflows.test(file) || gitlab.test(file) || dockerfile.test(file));
  const found: Version[] = [];
  for (const file of wanted.slice(0, mostFiles)) {
    const text = (await repository.text(commit, file)) ?? "";
    for (const image of new Set(imagesOf(file, text))) found.push({ name: file, version: image });
  }
  return found;
}

const bare = (text: string): string =>
  text
    .replace(/\s#.*$/, "")
    .replace(/^["']|["']$/g, "")
    .trim();

export function imagesOf(file: string, text: string): string[] {
  const lines = dockerfile.test(file)
    ? text.matchAll(/^\s*FROM\s+(?:--\S+\s+)*(\S+)/gim)
    : text.matchAll(/^\s*(?:-\s+)?(?:runs-on|container|image|name)[ \t]*:[ \t]*(\S.*)$/gm);
  return [...lines].flatMap(([line, value = ""]) => {
    const plain = bare(value);
    const isName = /^\s*name\s*:/.test(line);
    // "name" is an image only where it looks like one: below `image:` and `container:` alike.
    if (plain === "" || plain.length > 200 || (isName && !/^[\w./-]+[:@][\w.:-]+$/.test(plain))) return [];
    return [plain];
  });
}
