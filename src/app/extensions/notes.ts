// The notes of a person that a prompt is about go along with it; what was demanded twice is offered as one.
import { textIn } from "../../base/text-in.ts";
import type { CommandOpening } from "../../engine/command-calls.ts";
import type { Session } from "../../engine/session/session.ts";
import { relevantNotes } from "../../memory/notes/relevance.ts";
import type { NoteRow } from "../../protocol/note.ts";
import type { Part } from "../../protocol/message.ts";
import { heardTwice } from "../program/heard.ts";
import { notesOf } from "../program/notes.ts";
import type { Program } from "../program/program.ts";

/** What each session has been told already, by this process. */
const told = new WeakMap<Session, Set<string>>();

export const typedIn = (prompt: readonly Part[]): string =>
  textIn(prompt.filter((part) => part.type === "text" && part.source === undefined));

/** `named`: what the prompt names behind a slash. Says in the session which notes the model is told. */
export function withNotes(
  prompt: readonly Part[],
  named: CommandOpening | undefined,
  { program, session }: { program: Program; session: Session },
): CommandOpening | undefined {
  const typed = typedIn(prompt);
  offer(program, session, typed);
  const known = told.get(session) ?? new Set<string>();
  told.set(session, known);
  const notes = relevantNotes(
    notesOf(program).filter(({ id }) => !known.has(id)),
    typed,
  );
  if (notes.length === 0) return named;
  for (const { id } of notes) known.add(id);
  const list = notes.map(({ id, text }) => `${text} (${id})`).join(" · ");
  session.append({ type: "notice.given", code: "notes.told", level: "info", text: `Your notes go along: ${list}` });
  return { ...named, text: [named?.text, noteLines(notes)].filter(Boolean).join("\n\n"), calls: named?.calls ?? [] };
}

const noteLines = (notes: readonly NoteRow[]): string =>
  [
    "Notes that the person keeps; follow them where they concern the work. Where two differ, the later one counts, and say so.",
    ...notes.map(({ text, said }) => `- ${text}${said ? ` (${said.date})` : ""}`),
  ].join("\n");

function offer(program: Program, session: Session, typed: string): void {
  const demand = heardTwice(program, typed);
  if (demand === undefined || program.flags.headless) return;
  const text = `You have asked for this before: “${demand}” To have it kept for later sessions: /remember ${demand}`;
  session.append({ type: "notice.given", code: "notes.offered", level: "info", text });
}
