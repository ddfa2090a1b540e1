// Small looks at folders and files that may have gone meanwhile.
import { lstatSync, readdirSync, readFileSync } from "node:fs";

/** Empty for what is no folder, or gone. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (error instanceof Error && "code" in error) return [];
    throw error;
  }
}

const longestText = 1024 * 1024;
const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Content of a file; undefined when it is no text, or longer than a person would look at. */
export function writtenText(file: string): string | undefined {
  if ((lstatSync(file, { throwIfNoEntry: false })?.size ?? longestText + 1) > longestText) return undefined;
  try {
    return strict.decode(readFileSync(file));
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
