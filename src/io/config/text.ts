import { readRegular } from "../files/regular.ts";
import { configFault } from "./layers.ts";

/** Nobody writes so much by hand, and a parser would take minutes. */
const largest = 4 * 1024 * 1024;

const words: Readonly<Record<string, readonly [why: string, remedy: string]>> = {
  EISDIR: ["is a folder, not a file", "Remove it, or move it aside."],
  ENOTFILE: ["is a pipe, a socket or a device, not a file", "Remove it."],
  ELOOP: ["is a link that leads back to itself, or lies below one", "Remove the link."],
  EFBIG: ["is larger than 4 MB, and no configuration is", "Move it aside."],
  EACCES: ["cannot be read (EACCES)", "Correct its permissions, or remove it."],
  EPERM: ["cannot be read (EPERM)", "Correct its permissions, or remove it."],
};

/** Undefined when the file does not exist; unreadable is an error, for a policy that cannot be read must not be skipped. */
export function configText(file: string): string | undefined {
  try {
    return readRegular(file, largest);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    const [why, remedy] = words[String(code)] ?? [`cannot be read (${String(code)})`, "Correct it, or remove it."];
    throw configFault("unreadable", `${file}: ${why}.`, remedy);
  }
}
