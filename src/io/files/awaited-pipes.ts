// What git and ripgrep read for its name (ignore rules, attributes, a repository's own files) may be a pipe that nobody
// writes to. They open it without a look at what it is, and wait for ever. Who waits there is given the end of a file.
import { closeSync, constants, type Dirent, openSync, statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";

const readForTheirNames = new Set([".gitignore", ".gitattributes", ".gitmodules", ".ignore", ".rgignore"]);

/** A program that is still at work then may wait. A walk is dear, and hardly ever needed. */
const patienceMs = 1_000;
const pauseMs = 30;
const mostFolders = 200_000;

/** By folder: the next program there need not wait for the walk. */
const known = new Map<string, Set<string>>();

/** Begins with a program that works in `folder`; what it answers is called at the program's end. */
export function endAwaitedPipes(folder: string): () => void {
  const pipes = known.get(folder) ?? new Set<string>();
  let over = false;
  let ending: NodeJS.Timeout | undefined;
  const begin = () => (ending ??= setInterval(() => pipes.forEach(endOf), pauseMs));
  if (pipes.size > 0) begin();
  const walking = setTimeout(async () => {
    for await (const pipe of pipesBelow(folder, () => over)) {
      known.set(folder, pipes.add(pipe));
      begin();
    }
  }, patienceMs);
  return () => {
    over = true;
    clearTimeout(walking);
    clearInterval(ending);
  };
}

async function* pipesBelow(folder: string, over: () => boolean): AsyncGenerator<string> {
  const folders = [folder];
  for (let at = 0; at < Math.min(folders.length, mostFolders) && !over(); at += 1) {
    const parent = folders[at] ?? "";
    const inRepository = `${parent}/`.includes("/.git/");
    for (const entry of await entriesOf(parent)) {
      const file = path.join(parent, entry.name);
      if (entry.isDirectory()) folders.push(file);
      else if ((inRepository || readForTheirNames.has(entry.name)) && !entry.isFile() && isPipe(file) && !over())
        yield file;
    }
  }
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch {
    // Not there any more, or not to be read: not for the program either.
    return [];
  }
}

const isPipe = (file: string): boolean => {
  try {
    return statSync(file).isFIFO();
  } catch {
    // Gone, or a link to nothing.
    return false;
  }
};

/** Opened to write, it has a reader, which wakes; closed, its reader is at the end. */
function endOf(pipe: string): void {
  if (!isPipe(pipe)) return;
  try {
    closeSync(openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK));
  } catch (error) {
    // ENXIO: nobody waits.
    if (typeof (error as NodeJS.ErrnoException).code !== "string") throw error;
  }
}
