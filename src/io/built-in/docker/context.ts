// What an image is built from: the files of a folder without those of .dockerignore (https://docs.docker.com/build/concepts/context),
// packed by the machine's own tar. A masked file is not sent: it would be an empty one.
import { spawn } from "node:child_process";
import { lstatSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import path from "node:path";
import { PassThrough, type Readable } from "node:stream";
import ignore from "ignore";
import { PluginProblem } from "../serving/spec.ts";

const most = { files: 50_000, bytes: 500_000_000 };

export interface Context {
  /** Real. */
  folder: string;
  /** Relative to it. */
  files: string[];
  masked: string[];
}

/**
 * `recipe`: the Dockerfile, which is sent whatever is left out, as is .dockerignore: the daemon reads both, and copies neither
 * (https://docs.docker.com/build/concepts/context). Throws a PluginProblem where the folder is none of the workspace, or holds
 * too much.
 */
export function contextIn(workspace: string, given: string, recipe: string): Context {
  const root = realpathSync(workspace);
  const folder = realFolder(root, given);
  const left = ignored(folder);
  const covered = mountsBelow(folder);
  const context: Context = { folder, files: [], masked: [] };
  const needed = [recipe, ".dockerignore"];
  let bytes = 0;
  const walk = (inner: string): void => {
    for (const each of readdirSync(path.join(folder, inner), { withFileTypes: true })) {
      const file = path.posix.join(inner, each.name);
      const out = left.matches(file);
      if (each.isDirectory()) {
        if (!out || left.hasExceptions || recipe.startsWith(`${file}/`)) walk(file);
        continue;
      }
      if ((out && !needed.includes(file)) || !(each.isFile() || each.isSymbolicLink())) continue;
      if (covered.has(file)) {
        context.masked.push(file);
        continue;
      }
      context.files.push(file);
      bytes += lstatSync(path.join(folder, file)).size;
      if (context.files.length > most.files || bytes > most.bytes)
        throw new PluginProblem(
          `${given} holds more than ${most.files} files or ${most.bytes / 1_000_000} MB; leave some out by .dockerignore.`,
        );
    }
  };
  walk("");
  return context;
}

function realFolder(root: string, given: string): string {
  let folder: string;
  try {
    folder = realpathSync(path.resolve(root, given));
    readdirSync(folder);
  } catch {
    throw new PluginProblem(`There is no folder ${given}.`);
  }
  if (folder !== root && !folder.startsWith(`${root}/`))
    throw new PluginProblem(`${given} is no folder of the workspace.`);
  return folder;
}

/** Patterns begin at the top, the last that fits decides, and what lies in a folder that fits, fits. */
function ignored(folder: string): { matches(file: string): boolean; hasExceptions: boolean } {
  let text = "";
  try {
    text = readFileSync(path.join(folder, ".dockerignore"), "utf8");
  } catch {
    return { matches: () => false, hasExceptions: false };
  }
  const patterns = text.split(/\r?\n/).flatMap((line) => {
    const trimmed = line.trim();
    if (trimmed === "" || trimmed.startsWith("#")) return [];
    const out = !trimmed.startsWith("!");
    const pattern = path.posix.join("/", out ? trimmed : trimmed.slice(1).trim());
    return pattern === "/" ? [] : [{ out, one: ignore({ ignorecase: false }).add(pattern.replace(/\/$/, "")) }];
  });
  return {
    matches: (file) => patterns.reduce((sum, { out, one }) => (one.ignores(file) ? out : sum), false),
    hasExceptions: patterns.some(({ out }) => !out),
  };
}

/** Files that the sandbox covers are mounts of their own. */
function mountsBelow(folder: string): Set<string> {
  let text = "";
  try {
    text = readFileSync("/proc/self/mountinfo", "utf8");
  } catch {
    return new Set();
  }
  const points = text.split("\n").map((line) => unescaped(line.split(" ")[4] ?? ""));
  return new Set(points.filter((each) => each.startsWith(`${folder}/`)).map((each) => path.relative(folder, each)));
}

const unescaped = (text: string): string =>
  text.replace(/\\([0-7]{3})/g, (_whole, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));

/** A tar file of it. Ends with an error where tar does not do it. */
export function packed({ folder, files }: Context): Readable {
  const tar = spawn("tar", ["-c", "-C", folder, "--no-recursion", "--null", "-T", "-"], {
    stdio: ["pipe", "pipe", "pipe"],
  });
  const packing = new PassThrough();
  let said = "";
  tar.stderr.on("data", (chunk: Buffer) => (said = `${said}${chunk.toString()}`.slice(-400)));
  tar.once("error", (error) => packing.destroy(error));
  tar.stdout.pipe(packing, { end: false });
  // Half a file has an end as well: only tar knows whether it is whole.
  tar.once("close", (code) => {
    if (code === 0) packing.end();
    else packing.destroy(new PluginProblem(`tar ends with ${code}: ${said.trim()}`));
  });
  packing.once("close", () => tar.kill());
  tar.stdin.on("error", () => undefined);
  // A name is a name, whatever it begins with.
  tar.stdin.end(files.map((file) => `./${file}\0`).join(""));
  return packing;
}
