// Reading a file whose name anybody may have given to something else: a pipe would be waited for, a device never ends.
import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats, statSync } from "node:fs";

class NotRegular extends Error {
  override readonly name = "NotRegular";
  readonly code = "ENOTFILE";
}

/** Throws as `readFileSync` does, with a `code`; at once for what is neither file nor folder. */
export function readRegular(file: string): string {
  refuseOthers(statSync(file));
  // What stands there may have been changed since.
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    refuseOthers(fstatSync(descriptor));
    return readFileSync(descriptor, "utf8");
  } finally {
    closeSync(descriptor);
  }
}

function refuseOthers(stats: Stats): void {
  if (!stats.isFile() && !stats.isDirectory()) throw new NotRegular("not a file");
}
