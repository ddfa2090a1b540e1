// Reading a file whose name anybody may have given to something else: a pipe would be waited for, a device never ends.
import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats, statSync } from "node:fs";

class NotRegular extends Error {
  override readonly name = "NotRegular";
  readonly code = "ENOTFILE";
}

function refuseOthers(stats: Stats): void {
  if (!stats.isFile() && !stats.isDirectory()) throw new NotRegular("not a file");
}

/** Throws as `readFileSync` does, with a `code`; at once for what is neither file nor folder. */
export function readRegular(file: string): string {
  // To open a device may already do something.
  refuseOthers(statSync(file));
  // A program may have put a pipe in its place meanwhile: that nobody writes into it is not waited for.
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    refuseOthers(fstatSync(descriptor));
    return readFileSync(descriptor, "utf8");
  } finally {
    closeSync(descriptor);
  }
}

/** Undefined for what is not there, is no file, or is not for us to read: then nothing is known of it. */
export function regularText(file: string): string | undefined {
  try {
    return readRegular(file);
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}
