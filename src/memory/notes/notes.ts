// Notes as they stand in a file: items of a Markdown list, each with a line below it that says when and by whom. What else stands
// in the file is the person's, and stays as it is.
import { sha256 } from "../../base/digest.ts";

export interface Note {
  /** Six hex digits of its text. */
  id: string;
  text: string;
  /** When, who and where, as the line below it says; absent for one that was written by hand. */
  said?: { date: string; by: string; where: string };
}

interface Placed extends Note {
  /** Its lines: from, and the first behind it. */
  from: number;
  to: number;
}

export const longestNote = 500;
const heading = "# Notes for fettle";
const item = /^[-*] (.*\S.*)$/;
const signature = /^\s+\*(\d{4}-\d\d-\d\d), ([^,*]+), ([^*]+)\*\s*$/;

const idOf = (text: string): string => sha256(text).slice(0, 6);

/** In one line, as it is kept. */
export const noteText = (given: string): string => given.replace(/\s+/g, " ").trim();

export function readNotes(file: string): Note[] {
  return placed(file).map(({ id, text, said }) => ({ id, text, ...(said && { said }) }));
}

function placed(file: string): Placed[] {
  const lines = file.split(/\r?\n/);
  const notes: Placed[] = [];
  for (let at = 0; at < lines.length; at++) {
    const words = [item.exec(lines[at] ?? "")?.[1]?.trim()];
    if (words[0] === undefined) continue;
    const from = at;
    let said: Note["said"];
    while (said === undefined && /^\s+\S/.test(lines[at + 1] ?? "")) {
      at += 1;
      const [, date, by, where] = signature.exec(lines[at] ?? "") ?? [];
      if (date !== undefined && by !== undefined && where !== undefined)
        said = { date, by: by.trim(), where: where.trim() };
      else words.push(lines[at]?.trim());
    }
    const text = words.join(" ");
    notes.push({ id: idOf(text), text, from, to: at + 1, ...(said && { said }) });
  }
  return notes;
}

/** The file with the note behind all that is there. A name or place cannot end its line early. */
export function withNote(file: string, { text, said }: { text: string; said: NonNullable<Note["said"]> }): string {
  const plain = (word: string) => word.replace(/[*,\s]+/g, " ").trim() || "?";
  const before = file.trim() === "" ? `${heading}\n\n` : file.endsWith("\n") ? file : `${file}\n`;
  return `${before}- ${noteText(text)}\n  *${said.date}, ${plain(said.by)}, ${plain(said.where)}*\n`;
}

/** Undefined where no note begins with that id, or several do. */
export function withoutNote(file: string, id: string): { file: string; text: string } | undefined {
  const found = placed(file).filter((note) => note.id.startsWith(id.toLowerCase()));
  const [note, other] = found;
  if (!note || (other && other.text !== note.text)) return undefined;
  const lines = file.split("\n");
  lines.splice(note.from, note.to - note.from);
  return { file: lines.join("\n"), text: note.text };
}
