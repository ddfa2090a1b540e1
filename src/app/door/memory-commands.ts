// What a person keeps from one session to the next, or drops: notes and routines.
import type { Command } from "../../protocol/client.ts";
import type { Assembly } from "../agents/assembly.ts";
import type { Program } from "../program/program.ts";

interface Context {
  program: Program;
  running(): Promise<Assembly> | undefined;
}

type Handler<T extends Command["type"]> = (command: Extract<Command, { type: T }>, context: Context) => Promise<void>;
type Kept = "note.add" | "note.forget" | "routine.keep" | "routine.forget";

export const memoryCommands: { [T in Kept]: Handler<T> } = {
  "note.add": async ({ text, scope }, context) => {
    const { addNote } = await import("../program/notes.ts");
    addNote(context.program, { text, scope }, (await context.running())?.session.id);
  },
  "note.forget": async ({ id }, { program }) => (await import("../program/notes.ts")).forgetNote(program, id),
  "routine.keep": async (command, { program }) =>
    (await import("../program/routines.ts")).keepRoutine(program, command),
  "routine.forget": async ({ id }, { program }) => (await import("../program/routines.ts")).forgetRoutine(program, id),
};
