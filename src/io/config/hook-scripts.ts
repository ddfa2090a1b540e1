// What of a repository a hook runs: the files that its command names, what those name, and the folders made for hooks.
import { readFileSync, realpathSync, statSync } from "node:fs";
import path from "node:path";
import { references, scriptEndings } from "../../base/references.ts";
import { contentsOf } from "../facts/contents.ts";

const most = { files: 300, depth: 5, bytes: 1024 * 1024 };

/** Programs that take what they do from a file that their command does not name. */
const obeyed: readonly [program: RegExp, files: readonly string[]][] = [
  [/\b(npm|npx|pnpm|pnpx|yarn|bun|bunx|node)\b/, ["package.json"]],
  [/\bmake\b/, ["Makefile", "makefile", "GNUmakefile"]],
  [/\bjust\b/, ["justfile", "Justfile", ".justfile"]],
];

/** Everything in these is there for agents: a script in them may use any file beside it. */
const agentFolders = [".fettle", ".claude"];

/**
 * Digest of each, by path from the workspace; the same state gives the same digests. `more`: absolute paths that are named, too;
 * a folder among them counts whole.
 */
export function hookScripts(command: string, workspace: string, more: readonly string[] = []): Record<string, string> {
  const plain = command.replace(/\$\{?(?:CLAUDE|FETTLE)_PROJECT_DIR\}?/g, workspace).replace(/["']/g, "");
  const found = new Set<string>();
  const modules = [...plain.matchAll(/\s-m\s*([\w.]+)/g)].map(([, name = ""]) => name.replaceAll(".", "/"));
  const words = [plain, ...modules, ...modules.map((name) => `${name}/__main__.py`)].join(" ");
  const folders = more.flatMap((each) => foldersInside(each, workspace));
  let level = [...named(words, workspace, workspace), ...more.flatMap((each) => inside(each, workspace))];
  for (const [program, files] of obeyed)
    if (program.test(plain)) level.push(...files.flatMap((name) => inside(path.join(workspace, name), workspace)));
  for (let depth = 0; depth < most.depth && level.length > 0; depth += 1) {
    const fresh = level.filter((file) => !found.has(file)).slice(0, most.files - found.size);
    for (const file of fresh) found.add(file);
    level = fresh.flatMap((file) => named(textOf(file), path.dirname(file), workspace));
  }
  const bound = new Set([...[...found].map((file) => boundBy(file, workspace)), ...folders]);
  return Object.fromEntries(
    [...bound].toSorted().map((file) => [path.relative(workspace, file), contentsOf(file).digest]),
  );
}

/** The folder below an agent's own folder that holds the file, else the file. */
function boundBy(file: string, workspace: string): string {
  const [first = "", second = "", ...rest] = path.relative(workspace, file).split(path.sep);
  return agentFolders.includes(first) && rest.length > 0 ? path.join(workspace, first, second) : file;
}

function named(text: string, folder: string, workspace: string): string[] {
  const words = [...new Set([...references(text), ...(text.match(/[\w./@+-]+/g) ?? []).slice(0, 200)])];
  return words.flatMap((word) =>
    [folder, workspace].flatMap((base) =>
      scriptEndings.flatMap((ending) => inside(path.resolve(base, word) + ending, workspace)),
    ),
  );
}

/** Real paths of files in the workspace. */
const inside = (file: string, workspace: string): string[] => realInside(file, workspace, "isFile");
const foldersInside = (folder: string, workspace: string): string[] => realInside(folder, workspace, "isDirectory");

function realInside(file: string, workspace: string, kind: "isFile" | "isDirectory"): string[] {
  if (!file.startsWith(`${workspace}${path.sep}`)) return [];
  try {
    if (!statSync(file)[kind]()) return [];
    const real = realpathSync(file);
    return real.startsWith(`${workspace}${path.sep}`) ? [real] : [];
  } catch {
    // Not there, or not to be read: nothing that could be run.
    return [];
  }
}

function textOf(file: string): string {
  if (statSync(file).size > most.bytes) return "";
  const text = readFileSync(file, "utf8");
  return text.includes("\0") ? "" : text;
}
