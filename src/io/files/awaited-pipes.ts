// What git and ripgrep read for its name (ignore rules, attributes, a repository's own files) may be a pipe that nobody
// writes to. They open it without a look at what it is, and wait for ever. Who waits there is given the end of a file.
import { closeSync, constants, type Dirent, lstatSync, openSync, realpathSync } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";

const readForTheirNames = new Set([".gitignore", ".gitattributes", ".gitmodules", ".ignore", ".rgignore"]);

/** A program that is still at work then may wait. A walk is dear, and hardly ever needed. */
const patienceMs = 1_000;
const pauseMs = 30;
const mostFolders = 200_000;
/** Waited for one by one: more of them than this are not got through before the program's own time is up. */
const mostPipes = 1_000;

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
    for (const pipe of pipes) if (!isPipe(pipe)) pipes.delete(pipe);
    for await (const pipe of pipesBelow(folder, () => over || pipes.size >= mostPipes)) {
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
  // What a link finds elsewhere is waited for by somebody else.
  const inside = path.join(realOf(folder) ?? folder, "/");
  for (let at = 0; at < Math.min(folders.length, mostFolders) && !over(); at += 1) {
    const parent = folders[at] ?? "";
    const inRepository = `${parent}/`.includes("/.git/");
    for (const entry of await entriesOf(parent)) {
      const file = path.join(parent, entry.name);
      if (entry.isDirectory()) folders.push(file);
      else if ((inRepository || readForTheirNames.has(entry.name)) && !entry.isFile() && !over()) {
        const pipe = realOf(file);
        if (pipe?.startsWith(inside) && isPipe(pipe)) yield pipe;
      }
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

function realOf(file: string): string | undefined {
  try {
    return realpathSync(file);
  } catch {
    // Gone, or a link to nothing.
    return undefined;
  }
}

function isPipe(file: string): boolean {
  try {
    return lstatSync(file).isFIFO();
  } catch {
    // Gone.
    return false;
  }
}

/** Opened to write, it has a reader, which wakes; closed, its reader is at the end. */
function endOf(pipe: string): void {
  if (!isPipe(pipe)) return;
  try {
    closeSync(openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW));
  } catch (error) {
    // ENXIO: nobody waits.
    if (typeof (error as NodeJS.ErrnoException).code !== "string") throw error;
  }
}
