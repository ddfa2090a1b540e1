// Reading a file whose name anybody may have given to something else: a pipe would be waited for, a device never ends.
import { readFileSync, statSync } from "node:fs";

class NotRegular extends Error {
  override readonly name = "NotRegular";
  readonly code = "ENOTFILE";
}

/** Throws as `readFileSync` does, with a `code`; at once for what is neither file nor folder. */
export function readRegular(file: string): string {
  const stats = statSync(file);
  if (!stats.isFile() && !stats.isDirectory()) throw new NotRegular("not a file");
  return readFileSync(file, "utf8");
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
