// What every command's grammar is made with, over commander: the options that all take, what --help teaches below them,
// and how a command line becomes a job.
import type { Command } from "commander";
import type { Context } from "./context.ts";
import type { Options } from "./flags.ts";
import { headings, option } from "./options.ts";

export type Run<Own> = (context: Context, words: readonly string[], options: Options & Own) => Promise<number>;

/** What the command line asked for: run it with the options that were given. */
export interface Job {
  name: string;
  words: string[];
  options: Options & { [name: string]: unknown };
  /** Absent for a prompt. */
  run?: Run<object>;
}

/** What stands below the options of a command's help. */
export interface Lesson {
  examples: readonly (readonly string[])[];
  exits: readonly (readonly string[])[];
}

interface About {
  lesson?: Lesson;
  /** What --json does; false where there are neither --json nor --cwd. */
  json?: string | false;
}

/** Gives a command the options that all take, and says what runs it. `Own`: its own options, as commander reads them. */
export type Start = <Own extends object = object>(command: Command, run: Run<Own>, about?: About) => void;

/** What a command's file exports: it completes the command that its row in `commands.ts` names. */
export type Define = (command: Command, start: Start) => void;

export const starter =
  (take: (job: Job) => void): Start =>
  (command, run, { lesson, json = option.jsonOnly } = {}) => {
    common(command, json);
    const names: string[] = [];
    for (let one: Command = command; one.parent; one = one.parent) names.unshift(one.name());
    const name = names.join(" ");
    const taught = lesson ?? partOf(command.parent ? lessons.get(command.parent) : undefined, name);
    if (taught) teach(command, taught);
    command.action(() => take({ name, words: command.args, options: optionsOf(command), run: run as Run<object> }));
  };

export function common(command: Command, json: string | false): void {
  command.optionsGroup(headings.common);
  if (json !== false) command.option("--cwd <folder>", option.cwd).option("--json", json);
  command.option("--no-color", option.noColor).option("--debug", option.debug);
}

/** The options of a command and its parents; a later level's choice stands. */
export function optionsOf(command: Command): Job["options"] {
  const parents: Command[] = [];
  for (let one: Command | null = command; one; one = one.parent) parents.unshift(one);
  const merged: Job["options"] = Object.assign({}, ...parents.map((one) => one.opts()));
  if (parents.some((one) => one.opts()["color"] === false)) merged.color = false;
  return merged;
}

/** What a group of commands teaches: each of its commands teaches the examples that are its own. */
const lessons = new WeakMap<Command, Lesson>();

export function teach(command: Command, lesson: Lesson): void {
  lessons.set(command, lesson);
  const lines = lesson.examples.flatMap(([line = "", what = ""]) => [`  ${line}`, `      ${what}`]);
  const codes = lesson.exits.map(([code = "", what = ""]) => `  ${code.padStart(3)}  ${what}`);
  command.addHelpText("after", ["", headings.examples, ...lines, "", headings.exits, ...codes].join("\n"));
}

function partOf(whole: Lesson | undefined, name: string): Lesson | undefined {
  const examples = (whole?.examples ?? []).filter(([line]) => `${line} `.includes(`fettle ${name} `));
  return whole && examples.length > 0 ? { examples, exits: whole.exits } : undefined;
}
