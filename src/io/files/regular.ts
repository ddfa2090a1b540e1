// Reading a file whose name anybody may have given to something else: a pipe would be waited for, a device never ends.
import { constants, readFileSync, statSync } from "node:fs";

class NotRegular extends Error {
  override readonly name = "NotRegular";
  readonly code = "ENOTFILE";
}

/** Throws as `readFileSync` does, with a `code`; at once for what is neither file nor folder. */
export function readRegular(file: string): string {
  const stats = statSync(file);
  if (!stats.isFile() && !stats.isDirectory()) throw new NotRegular("not a file");
  // Exchanged for a pipe meanwhile, it is not waited for either.
  return readFileSync(file, { encoding: "utf8", flag: constants.O_RDONLY | constants.O_NONBLOCK });
}
