// Where the program of an MCP server lies, and what belongs to it: the sandbox shows nothing else of the person's home.
import { existsSync, lstatSync, readlinkSync, realpathSync, statSync } from "node:fs";
import path from "node:path";

const markers = ["package.json", "pyproject.toml", "setup.py", "pyvenv.cfg", "Cargo.toml", "go.mod"];
/** Everybody's: what lies directly in one of them stands for itself. */
const shared = ["/", "/tmp", "/var/tmp", "/home", "/root", "/run", "/usr", "/etc", "/var", "/opt"];
const highest = 6;

/**
 * Real paths of what the words name and that exists: the package that a file is of, or the file alone; of a link (the Python
 * of a virtual environment), what each link on the way is of, too.
 */
export function serverPlaces(
  words: readonly string[],
  { home, own }: { home: string; own: readonly string[] },
): string[] {
  const wide = (folder: string) =>
    shared.includes(folder) || within(folder, home) || own.some((each) => within(folder, each));
  const found = words.flatMap((word) => {
    if (!path.isAbsolute(word) || !existsSync(word) || !statSync(word).isFile()) return [];
    const { links, file } = wayTo(word);
    const seen = (each: string) => !system(each) && !own.some((folder) => within(folder, each));
    return [
      ...links.filter((link) => seen(link) && !wide(path.dirname(link))).map((link) => packageOf(link, wide)),
      ...[file].filter(seen).map((each) => packageOf(each, wide)),
    ];
  });
  return [...new Set(found)];
}

/** Each with its real folder. The file exists, so the way ends. */
function wayTo(word: string): { links: string[]; file: string } {
  const links: string[] = [];
  let at = word;
  for (;;) {
    at = path.join(realpathSync(path.dirname(at)), path.basename(at));
    if (!lstatSync(at).isSymbolicLink()) return { links, file: at };
    links.push(at);
    at = path.resolve(path.dirname(at), readlinkSync(at));
  }
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
