// When a process that was killed still lived: while a command works on the workspace, a file beside the record is touched.
// Both times are the file system's own, so nobody's clock stands between them.
import { lstatSync, rmSync, type Stats, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";

const everyMs = 200;

export class Pulse {
  readonly #file: string;
  readonly #timer: NodeJS.Timeout;

  constructor(folder: string, run: string) {
    this.#file = fileOf(folder, run);
    writeFileSync(this.#file, "", { mode: 0o600 });
    this.#timer = setInterval(() => this.#beat(), everyMs).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    rmSync(this.#file, { force: true });
  }

  #beat(): void {
    try {
      utimesSync(this.#file, new Date(), new Date());
    } catch (error) {
      // The record was removed meanwhile, or its disk is broken: what is done from now on counts as somebody else's.
      if (!(error instanceof Error && "code" in error)) throw error;
    }
  }
}

const fileOf = (folder: string, run: string): string => path.join(folder, `running-${run}`);

/** No later than this the process still lived. Undefined where that is not known. */
export function lastPulse(folder: string, run: string): number | undefined {
  const stats = lstatSync(fileOf(folder, run), { throwIfNoEntry: false });
  return stats && stats.ctimeMs + everyMs;
}

export const forgetPulse = (folder: string, run: string): void => rmSync(fileOf(folder, run), { force: true });

/** Whether what stands at this path below `top`, or what has taken it away, may have come later than a moment. */
export function touchedAfter(top: string, file: string, moment: number): boolean {
  for (let at = path.join(top, file); ; at = path.dirname(at)) {
    const stats = statsOf(at);
    if (stats) return stats.ctimeMs > moment || cameWithFolder(top, at, moment);
    if (at === path.dirname(at)) return true;
  }
}

/** What is moved with its folder keeps its times: the folder alone has changed, and nothing was made or deleted in it. */
function cameWithFolder(top: string, file: string, moment: number): boolean {
  for (let at = path.dirname(file); at.startsWith(`${top}/`); at = path.dirname(at)) {
    const stats = statsOf(at);
    if (stats && stats.ctimeMs > moment && stats.ctimeMs > stats.mtimeMs) return true;
  }
  return false;
}

function statsOf(at: string): Stats | undefined {
  try {
    return lstatSync(at, { throwIfNoEntry: false });
  } catch (error) {
    // A file stands where its folder was.
    if ((error as NodeJS.ErrnoException).code === "ENOTDIR") return undefined;
    throw error;
  }
}
