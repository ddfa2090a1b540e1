// What was tried, as the one who repairs next reads it.
import { telling } from "./telling.ts";

export interface Attempt {
  /** The command that failed. */
  about: string;
  /** What it said. */
  error: string;
  /** What the repair changed, as a diff. */
  patch: string;
}

const longestError = 2000;
const longestPatch = 3000;

export function attemptsText(attempts: readonly Attempt[]): string {
  return attempts
    .map(({ about, error, patch }, index) =>
      [
        `Attempt ${index + 1} changed this:`,
        patch.trim() === "" ? "(nothing)" : patch.slice(0, longestPatch).trimEnd(),
        `and then ${about} still failed:`,
        telling(error, longestError),
      ].join("\n"),
    )
    .join("\n\n");
}

/** What follows from the verdict that repairs go in a circle for the first time. */
export const changeOfStrategy =
  "This state of the files has failed in this way before: the repairs go in a circle. Do not vary the last attempt. Question its assumption, say what else could cause the error, and mend that.";
