// Where a step stops for a person: the gates of the project's settings, and questions with options.
import { Fault } from "../../../base/fault.ts";
import { Exit } from "../../../protocol/exit.ts";
import type { ReadSettings } from "../facts/settings.ts";
import { oneOf, type ProjectWork } from "./work.ts";

type Gate = Extract<keyof ReadSettings, `gates.${string}`>;

/** Whether it may go on. A gate that is off, the mode yolo and `--auto` ask nobody. */
export async function passes(work: ProjectWork, gate: Gate, text: string): Promise<boolean> {
  const settings = await work.settings();
  if (!settings[gate] || settings.mode === "yolo") return true;
  return work.confirm(text, work.auto ? true : undefined);
}

/** Throws a Fault where the person says no: nothing was written. */
export async function passOrEnd(work: ProjectWork, gate: Gate, text: string): Promise<void> {
  if (await passes(work, gate, text)) return;
  // The next run asks its agents anew, and does not take this no for its answer.
  await work.world.kept.clear();
  throw new Fault(
    "project.declined",
    Exit.stopped,
    "You said no, and nothing was written.",
    `Begin again: ${work.command()}`,
  );
}

export interface Choice {
  question: string;
  options: readonly { name: string; what: string }[];
  /** Only they are answers. */
  fixed?: boolean;
}

/** The first option is what holds where nobody is to be asked. Any other words are an answer, too, where they are not fixed. */
export async function choose(work: ProjectWork, { question, options, fixed = false }: Choice): Promise<string> {
  const names = options.map(({ name }) => name);
  const told = options.map(({ name, what }) => `  ${name}${what === "" ? "" : ` — ${what}`}`);
  return work.ask(
    [question, ...told].join("\n"),
    names,
    work.auto ? names[0] : undefined,
    fixed ? oneOf(names) : undefined,
  );
}
