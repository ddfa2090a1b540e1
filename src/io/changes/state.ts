// What stands at a path, as far as it has to come back: its kind, its rights and its content.
import { constants, closeSync, fstatSync, lstatSync, openSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import path from "node:path";
import { largestKept } from "../../protocol/kept.ts";

export type PathState =
  | { kind: "absent" }
  | { kind: "folder" }
  | { kind: "link"; target: string }
  /**
   * `content` names it the same whenever it is the same, and is kept under this name where that was possible. A file that is
   * too large for that is known by its size and its time.
   */
  | { kind: "file"; mode: number; size: number; content: string }
  | { kind: "other" };

export const absent: PathState = { kind: "absent" };

export function sameState(left: PathState, right: PathState): boolean {
  if (left.kind === "file" && right.kind === "file") return left.mode === right.mode && left.content === right.content;
  if (left.kind === "link" && right.kind === "link") return left.target === right.target;
  return left.kind === right.kind && left.kind !== "other";
}

/** Without following links. `name` answers what the content is called, and keeps it where it is asked to. */
export function stateAt(file: string, name: (content: Buffer) => string): PathState {
  const found = lookAt(file);
  if (found.kind !== "file") return found;
  // What cannot be kept is another matter than what cannot be read.
  return { ...found, content: typeof found.content === "string" ? found.content : name(found.content) };
}

type Looked =
  | Exclude<PathState, { kind: "file" }>
  | { kind: "file"; mode: number; size: number; content: Buffer | string };

function lookAt(file: string): Looked {
  try {
    const stats = lstatSync(file, { throwIfNoEntry: false });
    if (!stats) return absent;
    if (stats.isDirectory()) return { kind: "folder" };
    if (stats.isSymbolicLink()) return { kind: "link", target: readlinkSync(file) };
    if (!stats.isFile()) return { kind: "other" };
    return fileAt(file);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "";
    if (["ENOENT", "ENOTDIR"].includes(code)) return absent;
    if (code === "") throw error;
    return { kind: "other" };
  }
}

function fileAt(file: string): Looked {
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const { mode, size, mtimeMs } = fstatSync(descriptor);
    const content = size > largestKept ? `large-${size}-${mtimeMs}` : readFileSync(descriptor);
    return { kind: "file", mode: mode & 0o7777, size, content };
  } finally {
    closeSync(descriptor);
  }
}

/** More than this below one folder is not looked through. */
const mostBelow = 2_000;

/** Absolute: the path itself and all that lies below it, folders first. Undefined where that is too much. */
export function pathsBelow(file: string): string[] | undefined {
  const found = [file];
  for (let at = 0; at < found.length; at += 1) {
    const folder = found[at] ?? "";
    for (const name of namesIn(folder)) found.push(path.join(folder, name));
    if (found.length > mostBelow) return undefined;
  }
  return found;
}

function namesIn(folder: string): string[] {
  try {
    return lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(folder) : [];
  } catch (error) {
    // What cannot be listed cannot be brought back, either; it is told as such when it is gone.
    if (error instanceof Error && "code" in error) return [];
    throw error;
  }
}
