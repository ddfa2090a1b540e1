// Reading a file whose name anybody may have given to something else: a pipe would be waited for, a device never ends.
import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";

class NotRegular extends Error {
  override readonly name = "NotRegular";
  readonly code: string;

  constructor(code: string) {
    super("not a file");
    this.code = code;
  }
}

/** As `readFileSync` throws, with a `code`; what is no regular file at once. */
export function readRegular(file: string): string {
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(descriptor);
    if (stats.isDirectory()) throw new NotRegular("EISDIR");
    if (!stats.isFile()) throw new NotRegular("ENOTFILE");
    return readFileSync(descriptor, "utf8");
  } finally {
    closeSync(descriptor);
  }
}
