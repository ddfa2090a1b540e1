// `/NAME` of a routine: its steps and its check are done by the gate as if a model had called them; a model is asked only when one fails.
import { counted } from "../../base/counted.ts";
import { Fault } from "../../base/fault.ts";
import type { CommandOpening } from "../../engine/command-calls.ts";
import type { Session } from "../../engine/session/session.ts";
import { argumentsIn, patternLines } from "../../memory/routines/routine.ts";
import { inputOf } from "../../memory/routines/sightings.ts";
import { filled } from "../../memory/routines/template.ts";
import { Exit } from "../../protocol/exit.ts";
import type { Routine } from "../../protocol/routine.ts";
import type { Program } from "../program/program.ts";
import { noteReplay, routineNamed } from "../program/routines.ts";

/** Undefined for a name that is no routine's. Throws a Fault for one that was set aside, and for words that do not fit it. */
export function routineOpening(
  program: Program,
  session: Session,
  { name, argument }: { name: string; argument: string },
): CommandOpening | undefined {
  const routine = routineNamed(program, name);
  if (!routine) return undefined;
  if (routine.aside)
    throw new Fault(
      "routine.aside",
      Exit.usage,
      `The routine ${name} was set aside, as it has failed twice in a row.`,
      `Say what you want in words, take it up again (fettle routines keep ${name}), or drop it (fettle routines forget ${name}).`,
    );
  const given = argumentsIn(argument, routine);
  if ("problem" in given)
    throw new Fault("routine.words", Exit.usage, given.problem, `See what it does: fettle routines show ${name}`);
  return openingOf(routine, given.values, (ok) => {
    const aside = noteReplay(program, name, ok);
    if (aside) session.append({ type: "notice.given", code: "routine.aside", level: "warning", text: asideText(name) });
  });
}

const asideText = (name: string): string =>
  `The routine ${name} has failed twice in a row and is set aside. Take it up again: fettle routines keep ${name}`;

function openingOf(routine: Routine, values: readonly string[], ended: (ok: boolean) => void): CommandOpening {
  const { name, steps, parameters } = routine;
  const check = filled(routine.check, values);
  const lines = patternLines(routine, parameters).join("\n");
  const words = parameters.map((each, at) => `${each} = ${values[at] ?? ""}`).join(", ");
  const limit = routine.timeoutMs === undefined ? {} : { timeout: Math.ceil(routine.timeoutMs / 1000) };
  const calls = [
    ...steps.map(({ tool, input }) => ({ tool, input: inputOf(input, values), label: `Step (${tool})` })),
    { tool: "shell", input: { command: check, ...limit }, label: "Check" },
  ];
  return {
    text: `The person uses the routine ${name}${words === "" ? "" : ` (${words})`}:\n${lines}\n\nThe last call below did not succeed. Find out why, finish the work, and run the check. Say what was different this time.`,
    calls,
    enough: {
      text: `The routine ${name} is done: ${counted(steps.length, "step")}, and its check passes (${check}).`,
      ended,
    },
  };
}
