// What was found out about arms, kept from one run to the next: a small file, as every start looks into it.
import { readRegular } from "../files/regular.ts";
import { keepFile } from "../places/kept-files.ts";

/** By name of an arm; whoever reads it judges the values. */
export type Findings = Record<string, Record<string, unknown>>;

/** Nothing where there is no file, or one that cannot be read: all of it can be found out again. */
export function readFindings(file: string): Findings {
  try {
    const value = JSON.parse(readRegular(file)) as { version?: unknown; arms?: Findings } | null;
    return value?.version === 1 && typeof value.arms === "object" && value.arms !== null ? value.arms : {};
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code !== undefined) return {};
    throw error;
  }
}

/** Adds to what is kept; of one arm the newer fields stand. */
export function keepFindings(file: string, found: Findings): void {
  const arms = readFindings(file);
  for (const [name, more] of Object.entries(found)) arms[name] = { ...arms[name], ...more };
  keepFile(file, `${JSON.stringify({ version: 1, arms }, undefined, 1)}\n`);
}
