// Reading a file whose name anybody may have given to something else: a pipe would be waited for, a device never ends.
import { constants, readFileSync, statSync } from "node:fs";

class NotRegular extends Error {
  override readonly name = "NotRegular";
  readonly code = "ENOTFILE";
}

/** A program may put a pipe in a file's place while we look: that nobody writes into it is not waited for. */
const unwaiting = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Throws as `readFileSync` does, with a `code`; at once for what is neither file nor folder. */
export function readRegular(file: string): string {
  const stats = statSync(file);
  if (!stats.isFile() && !stats.isDirectory()) throw new NotRegular("not a file");
  // Node takes the number, though its types know words only.
  return readFileSync(file, { encoding: "utf8", flag: unwaiting as unknown as string });
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
