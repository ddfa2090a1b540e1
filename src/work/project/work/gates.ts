// Where a step stops for a person: the gates of the project's settings, and questions with options.
import { Fault } from "../../../base/fault.ts";
import { Exit } from "../../../protocol/exit.ts";
import type { ReadSettings } from "../facts/settings.ts";
import { oneOf, type ProjectWork, type Reads, yesOrNo } from "./work.ts";

type Gate = Extract<keyof ReadSettings, `gates.${string}`>;

/** Whether it may go on. A gate that is off, the mode yolo and `--auto` ask nobody. */
export async function passes(work: ProjectWork, gate: Gate, text: string): Promise<boolean> {
  const settings = await work.settings();
  if (!settings[gate] || settings.mode === "yolo") return true;
  return work.confirm(text, work.auto ? true : undefined);
}

/** Throws a Fault where the person says no: nothing was written. */
export async function passOrEnd(work: ProjectWork, gate: Gate, text: string): Promise<void> {
  if (!(await passes(work, gate, text))) throw await declined(work);
}

/** The next run asks its agents anew, and does not take this no for its answer. */
export async function declined(work: ProjectWork): Promise<Fault> {
  await work.world.kept.clear();
  const text = "You said no, and nothing was written.";
  return new Fault("project.declined", Exit.stopped, text, `Begin again: ${work.command()}`);
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
  const labels = options.map(({ name, what }) => (what === "" ? name : `${name} — ${what}`));
  const inOptions = oneOf(names);
  const reads: Reads = (said) => names[labels.indexOf(said)] ?? (fixed ? inOptions(said) : said);
  return work.ask(question, labels, work.auto ? names[0] : undefined, fixed ? Object.assign(reads, { only }) : reads);
}

const only = true as const;

/** Yes, no, or what should be otherwise, in the person's own words. `usual`: what holds where nobody can answer. */
export async function verdict(
  work: ProjectWork,
  text: string,
  usual?: "yes" | "no",
): Promise<{ agreed: boolean; wish?: string }> {
  const said = await work.ask(text, ["yes", "no"], usual, (words) => yesOrNo(words) ?? words);
  return said === "yes" || said === "no" ? { agreed: said === "yes" } : { agreed: false, wish: said };
}

/** As `passes`, where the person may also say what should be otherwise. */
export async function agrees(work: ProjectWork, gate: Gate, text: string): ReturnType<typeof verdict> {
  const settings = await work.settings();
  if (!settings[gate] || settings.mode === "yolo") return { agreed: true };
  return verdict(work, `${text} yes, no, or what should be otherwise.`, work.auto ? "yes" : undefined);
}
