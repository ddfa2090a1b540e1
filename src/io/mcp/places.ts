// Where the program of an MCP server lies, and what belongs to it: the sandbox shows nothing else of the person's home.
import { existsSync, realpathSync, statSync } from "node:fs";
import path from "node:path";

const markers = ["package.json", "pyproject.toml", "setup.py", "Cargo.toml", "go.mod"];
/** Everybody's: what lies directly in one of them stands for itself. */
const shared = ["/", "/tmp", "/var/tmp", "/home", "/root", "/run", "/usr", "/etc", "/var", "/opt"];
const highest = 6;

/** Real paths of what the words name and that exists: the package that a file is of, or the file alone. */
export function serverPlaces(
  words: readonly string[],
  { home, own }: { home: string; own: readonly string[] },
): string[] {
  const wide = (folder: string) =>
    shared.includes(folder) || within(folder, home) || own.some((each) => within(folder, each));
  const found = words.flatMap((word) => {
    const file = path.isAbsolute(word) && existsSync(word) ? realpathSync(word) : undefined;
    if (file === undefined || system(file) || own.some((each) => within(each, file))) return [];
    if (!statSync(file).isFile()) return [];
    return [packageOf(file, wide)];
  });
  return [...new Set(found)];
}

function packageOf(file: string, wide: (folder: string) => boolean): string {
  const at = file.indexOf("/node_modules/");
  if (at >= 0 && !wide(file.slice(0, at + "/node_modules".length))) return file.slice(0, at + "/node_modules".length);
  let folder = path.dirname(file);
  for (let height = 0; height < highest && !wide(folder); height += 1) {
    if (markers.some((name) => existsSync(path.join(folder, name)))) return folder;
    folder = path.dirname(folder);
  }
  return wide(path.dirname(file)) ? file : path.dirname(file);
}

const system = (file: string): boolean => /^\/(?:usr|bin|sbin|lib\w*|opt)\//.test(file);

/** Whether `file` is `folder` or lies in it. */
const within = (folder: string, file: string): boolean =>
  file === folder || file.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
