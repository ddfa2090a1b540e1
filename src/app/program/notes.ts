// The notes of a person: for all projects beside their configuration, for one project in its state folder. Only a person writes them.
import path from "node:path";
import { Fault } from "../../base/fault.ts";
import { createFirewall } from "../../guard/firewall/firewall.ts";
import { regularText } from "../../io/files/regular.ts";
import { keepFile } from "../../io/places/kept-files.ts";
import { longestNote, noteText, readNotes, withNote, withoutNote } from "../../memory/notes/notes.ts";
import { alike } from "../../memory/notes/relevance.ts";
import { Exit } from "../../protocol/exit.ts";
import type { NoteQuestions, NoteRow, NoteScope } from "../../protocol/note.ts";
import { callerOf } from "./caller.ts";
import { firewallKey } from "./keys.ts";
import type { Program } from "./program.ts";

const scopes: readonly NoteScope[] = ["user", "project"];

const fileOf = ({ places, project }: Program, scope: NoteScope): string =>
  path.join(scope === "user" ? places.config : project.root, "notes.md");

const textOf = (program: Program, scope: NoteScope): string => regularText(fileOf(program, scope)) ?? "";

/** Those for all projects first; of each file in its order, which is the order of time. */
export const notesOf = (program: Program): NoteRow[] =>
  scopes.flatMap((scope) => readNotes(textOf(program, scope)).map((note) => ({ ...note, scope })));

export function listNotes(program: Program, { like }: NoteQuestions["notes.list"]["ask"]) {
  const notes = notesOf(program);
  return {
    notes: like === undefined ? notes : alike(notes, like),
    files: { user: fileOf(program, "user"), project: fileOf(program, "project") },
  };
}

/** Throws a Fault for what is no note: nothing, too much, a secret, and anything of an incognito session. */
export function addNote(program: Program, { text, scope }: { text: string; scope: NoteScope }, session?: string): void {
  refuseIncognito(program);
  const note = noteText(text);
  if (note === "") throw fault("empty", "There is nothing to keep.", "Say it: /remember we use no default exports");
  if (note.length > longestNote)
    throw fault(
      "long",
      `A note has at most ${longestNote} characters; this one has ${note.length}.`,
      "Make it shorter.",
    );
  if (isSecret(program, note))
    throw fault(
      "secret",
      "That holds what looks like a secret, and notes are plain text that models read.",
      "Leave it out.",
    );
  const said = {
    date: new Date().toISOString().slice(0, 10),
    by: callerOf(program).name,
    where: session === undefined ? "fettle notes add" : `session ${session.slice(0, 8)}`,
  };
  keepFile(fileOf(program, scope), withNote(textOf(program, scope), { text: note, said }));
}

/** Throws a Fault where no note, or more than one, begins with the id. */
export function forgetNote(program: Program, id: string): void {
  refuseIncognito(program);
  const found = scopes.flatMap((scope) => {
    const rest = withoutNote(textOf(program, scope), id);
    return rest ? [{ scope, file: rest.file }] : [];
  });
  const [only, other] = found;
  if (!only || other || id === "")
    throw fault("none", `No single note has the id ${id}.`, "List them: fettle notes list");
  keepFile(fileOf(program, only.scope), only.file);
}

export const isSecret = ({ places }: Program, text: string): boolean =>
  createFirewall(firewallKey(places)).redact(text).text !== text;

function refuseIncognito({ incognito }: Program): void {
  if (incognito) throw fault("incognito", "An incognito session keeps nothing.", "Leave it first: /incognito off");
}

const fault = (code: string, text: string, remedy: string): Fault =>
  new Fault(`note.${code}`, Exit.usage, text, remedy);
