import { readRegular } from "../files/regular.ts";
import { configFault } from "./layers.ts";

/** Undefined when the file does not exist; unreadable is an error, for a policy that cannot be read must not be skipped. */
export function configText(file: string): string | undefined {
  try {
    return readRegular(file);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    const why = code === "EISDIR" ? "is a folder, not a file" : `cannot be read (${String(code)})`;
    throw configFault("unreadable", `${file}: ${why}.`, "Correct its permissions, or remove it.");
  }
}
