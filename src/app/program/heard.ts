// What a person has demanded more than once in this project: offered as a note, and never kept as one by itself.
import path from "node:path";
import { regularText } from "../../io/files/regular.ts";
import { keepFile } from "../../io/places/kept-files.ts";
import { alike, corrections, sameDemand } from "../../memory/notes/relevance.ts";
import { isSecret, notesOf } from "./notes.ts";
import type { Program } from "./program.ts";

interface Heard {
  text: string;
  times: number;
}

const most = 200;

function heardBefore(file: string): Heard[] {
  try {
    const rows: unknown = JSON.parse(regularText(file) ?? "[]");
    return Array.isArray(rows)
      ? rows.filter((row): row is Heard => typeof row?.text === "string" && row.times > 0)
      : [];
  } catch {
    // A file that somebody has broken begins anew: nothing but an offer rests on it.
    return [];
  }
}

/**
 * The demand of this prompt that was heard for the second time, and that no note says; at the third time nobody is asked again.
 * Nothing of an incognito session and nothing that looks like a secret is remembered.
 */
export function heardTwice(program: Program, prompt: string): string | undefined {
  if (program.incognito) return undefined;
  const said = corrections(prompt).filter((text) => !isSecret(program, text));
  if (said.length === 0) return undefined;
  const file = path.join(program.project.root, "heard.json");
  let rows = heardBefore(file);
  let offered: string | undefined;
  for (const text of said) {
    const known = rows.find((row) => sameDemand(row.text, text));
    rows = [...rows.filter((row) => row !== known), { text, times: (known?.times ?? 0) + 1 }];
    if (known?.times === 1 && alike(notesOf(program), text).length === 0) offered ??= text;
  }
  keepFile(file, JSON.stringify(rows.slice(-most)));
  return offered;
}
