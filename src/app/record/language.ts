// What the model hears of the person's language: only for what it says to them.
import type { Program } from "../program/program.ts";
import { isUnattended } from "./unattended.ts";

const names = new Map([["de", "German"]]);

/** Nothing where they read English, and where nobody watches: a program may read what is answered there. */
export function languageNote(program: Pick<Program, "flags">): string | undefined {
  const name = names.get(program.flags.language ?? "");
  if (name === undefined || isUnattended(program)) return undefined;
  return `Write to the person in ${name}, unless they write in another language; code, comments, commits and files keep the project's.`;
}
