// What goes along with a prompt, ahead of it: the command or skill that it names, and the person's notes that it is about.
import type { CommandOpening } from "../../engine/command-calls.ts";
import type { Part } from "../../protocol/message.ts";
import type { Assembly } from "../agents/assembly.ts";
import { typedIn, withNotes } from "../extensions/notes.ts";
import { followRoutines } from "../extensions/routine-watch.ts";
import type { Program } from "../program/program.ts";

/** Whether it could name a command, or a resource of an MCP server. */
const mayName = (part: Part, at: number): boolean =>
  part.type === "text" &&
  part.source === undefined &&
  ((at === 0 && part.text.startsWith("/")) || /@"?[\w-]+:/.test(part.text));

/** Throws a Fault for a command that was changed since it was trusted. */
export async function openingFor(
  prompt: Part[],
  assembly: Pick<Assembly, "skills" | "arm" | "session">,
  program: Program,
): Promise<CommandOpening | undefined> {
  const named = prompt.some(mayName) ? await namedBy(prompt, assembly, program) : undefined;
  await followRoutines(program, assembly.session, typedIn(prompt));
  return withNotes(prompt, named, { program, session: assembly.session });
}

/** What a prompt names behind a slash is looked up as the files are now. */
async function namedBy(
  prompt: Part[],
  { skills, arm, session }: Pick<Assembly, "skills" | "arm" | "session">,
  program: Program,
): Promise<CommandOpening | undefined> {
  const { openingOf } = await import("../extensions/slash.ts");
  return openingOf(prompt, {
    ...{ program, skills, session },
    async modelOf({ name, model, origin }) {
      const { modelFor } = await import("../agents/models.ts");
      const definition = { name: `/${name}`, description: "", prompt: "", model };
      const chosen = await modelFor(program, arm, { definition, origin, inherited: session.state.model });
      if (chosen.told !== undefined)
        session.append({ type: "notice.given", code: "command.model", level: "warning", text: chosen.told });
      return chosen.model;
    },
  });
}
