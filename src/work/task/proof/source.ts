// Lines of the files that a report may name: some assertions show only where they stand.
import { textIn } from "../world/texts.ts";
import type { SourceLine } from "./formats/cases.ts";

/** Reports name files by their full path, or as seen from the folder of a package: what stands at the end tells. */
export async function sourceOf(folder: string, files: readonly string[]): Promise<SourceLine> {
  const texts = new Map<string, string[]>();
  for (const file of files) {
    const text = await textIn(folder, file);
    if (text !== undefined) texts.set(file, text.split("\n"));
  }
  return (named, line) => {
    const file = texts.has(named) ? named : [...texts.keys()].find((known) => ends(known, named) || ends(named, known));
    return file === undefined ? undefined : texts.get(file)?.[line - 1];
  };
}

const ends = (path: string, end: string): boolean => path.endsWith(`/${end.replace(/^\.\//, "")}`);
