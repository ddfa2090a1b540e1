// Reading a file whose name anybody may have given to something else: a pipe would be waited for, a device never ends.
import { constants, lstatSync, readFileSync, type Stats, statSync } from "node:fs";
import { systemError, withFallback } from "../../base/fallback.ts";

class Unreadable extends Error {
  override readonly name = "Unreadable";
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** A program may put a pipe in a file's place while we look: that nobody writes into it is not waited for. */
export const unwaiting = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Throws as `readFileSync` does, with a `code`; at once for what is neither file nor folder, or larger than `most` bytes. */
export function readRegularBytes(file: string, most = Number.POSITIVE_INFINITY): Buffer {
  const stats = statSync(file);
  // Node does not name what it was to read.
  if (stats.isDirectory()) throw new Unreadable("EISDIR", `${file} is a folder`);
  if (!stats.isFile()) throw new Unreadable("ENOTFILE", `${file} is not a file`);
  if (stats.size > most) throw new Unreadable("EFBIG", `${file} is too large`);
  // Node takes the number, though its types know words only.
  return readFileSync(file, { flag: unwaiting as unknown as string });
}

export const readRegular = (file: string, most?: number): string => readRegularBytes(file, most).toString("utf8");

/** Undefined for nothing, and for what cannot be looked at: a link that leads to itself, a folder that is closed to us. */
export const statsOf = (file: string): Stats | undefined =>
  withFallback(undefined, systemError, () => statSync(file, { throwIfNoEntry: false }));

export const isLink = (file: string): boolean =>
  withFallback(false, systemError, () => lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true);

/** What stands in the place of a file, for a sentence; undefined for a file and for nothing. */
export function notAFile(file: string): string | undefined {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats || stats.isFile()) return undefined;
  if (stats.isDirectory()) return "a folder";
  return stats.isFIFO() ? "a pipe" : stats.isSocket() ? "a socket" : "a device";
}

/** Undefined for what is not there, is no file, or is not for us to read: then nothing is known of it. */
export const regularText = (file: string): string | undefined =>
  withFallback(undefined, systemError, () => readRegular(file));
