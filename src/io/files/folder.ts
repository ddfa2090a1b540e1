// A folder held open: its entries are reached through the descriptor, so nobody can swap a link in between.
import { closeSync, constants, existsSync, lstatSync, mkdirSync, openSync, readlinkSync, realpathSync } from "node:fs";
import path from "node:path";
import { hasCode, withFallback } from "../../base/fallback.ts";
import { FileProblem, shown } from "./problem.ts";

const descriptors = "/proc/self/fd";
let linux: boolean | undefined;
/** Without /proc (macOS) paths are compared after opening instead. */
const hasDescriptors = (): boolean => (linux ??= existsSync(descriptors));

/** Where an open descriptor really is. */
export function placeOf(descriptor: number, opened: string): string {
  return hasDescriptors() ? readlinkSync(`${descriptors}/${descriptor}`) : realpathSync.native(opened);
}

/** Refuses a descriptor that is not at the path it was asked for: a link was swapped in on the way. */
export function checkPlace(descriptor: number, wanted: string): void {
  const place = placeOf(descriptor, wanted);
  if (place !== path.resolve(wanted)) {
    throw new FileProblem("outside", `${shown(wanted)} leads to ${shown(place)}; name the real path.`);
  }
}

const folderFlags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

export class OpenFolder {
  readonly path: string;
  readonly descriptor: number;

  private constructor(real: string, descriptor: number) {
    this.path = real;
    this.descriptor = descriptor;
  }

  /** Throws the system's error or a FileProblem; `real` must be a real path. */
  static open(real: string): OpenFolder {
    const descriptor = openSync(real, folderFlags);
    try {
      checkPlace(descriptor, real);
    } catch (error) {
      closeSync(descriptor);
      throw error;
    }
    return new OpenFolder(path.resolve(real), descriptor);
  }

  /** A path to an entry that cannot lead through a link. */
  entry(name: string): string {
    return hasDescriptors() ? `${descriptors}/${this.descriptor}/${name}` : path.join(this.path, name);
  }

  child(name: string, make: boolean): OpenFolder {
    let descriptor: number;
    try {
      descriptor = openSync(this.entry(name), folderFlags);
    } catch (error) {
      if (!make || (error as NodeJS.ErrnoException).code !== "ENOENT") throw this.explain(error, name);
      withFallback(undefined, hasCode("EEXIST"), () => mkdirSync(this.entry(name)));
      descriptor = openSync(this.entry(name), folderFlags);
    }
    return new OpenFolder(path.join(this.path, name), descriptor);
  }

  /** The system answers ENOTDIR for a link to a folder as well as for a file. */
  private explain(error: unknown, name: string): unknown {
    if ((error as NodeJS.ErrnoException).code !== "ENOTDIR") return error;
    const full = shown(path.join(this.path, name));
    return lstatSync(this.entry(name)).isSymbolicLink()
      ? new FileProblem("outside", `${full} is a link; name the place it leads to.`)
      : new FileProblem("not-a-folder", `${full} is a file, not a folder.`);
  }

  close(): void {
    closeSync(this.descriptor);
  }
}

/** Opens the parent of `file` step by step from `root`, refusing links on the way. The caller closes it. */
export function openParent(file: string, root: string, make: boolean): { folder: OpenFolder; name: string } {
  const full = path.resolve(root, file);
  const relative = path.relative(root, full);
  if (relative === "") throw new FileProblem("outside", `${shown(file)} is a folder.`);
  const parts = relative.split(path.sep);
  const name = parts.pop();
  if (!name || parts[0] === ".." || name === ".." || path.isAbsolute(relative)) {
    throw new FileProblem("outside", `${shown(file)} is outside ${shown(root)}.`);
  }
  let folder = OpenFolder.open(root);
  for (const part of parts) {
    const parent = folder;
    try {
      folder = parent.child(part, make);
    } finally {
      parent.close();
    }
  }
  return { folder, name };
}
