// The pieces of the command line's grammar: what every command takes, and how one becomes a job.
import type { Command } from "commander";
import type { Options } from "../host/flags.ts";
import { help } from "./help.ts";

/** What the command line asked for: run it with the options that were given. */
export interface Job {
  name: string;
  words: string[];
  options: Options & { [name: string]: unknown };
}

/** Options that every command takes; a demonstration works in a folder of its own and is made to be looked at. */
export function common(command: Command, json: string): Command {
  command.optionsGroup(help.groups.common);
  if (command.name() !== "demo") command.option("--cwd <folder>", help.option.cwd).option("--json", json);
  return command.option("--no-color", help.option.noColor).option("--debug", help.option.debug);
}

/** Keeps the merged options of a command and its parents; a later level's choice stands. */
export function optionsOf(command: Command): Job["options"] {
  const parents: Command[] = [];
  for (let one: Command | null = command; one; one = one.parent) parents.unshift(one);
  const merged: Job["options"] = Object.assign({}, ...parents.map((one) => one.opts()));
  if (parents.some((one) => one.opts()["color"] === false)) merged.color = false;
  return merged;
}

export type Take = (job: Job) => void;

interface Leaf {
  usage: string;
  summary: string;
  /** Options of this command only. */
  own?: (command: Command) => Command;
  lesson?: Lesson;
}

/** What stands below the options of a command's help. */
export interface Lesson {
  examples: readonly (readonly [line: string, what: string])[];
  exits: readonly (readonly [code: string, what: string])[];
}

export function teach(command: Command, lesson: Lesson): void {
  const { examples, exits } = lesson;
  lessons.set(command, lesson);
  const lines = examples.flatMap(([line, what]) => [`  ${line}`, `      ${what}`]);
  const codes = exits.map(([code, what]) => `  ${code.padStart(3)}  ${what}`);
  command.addHelpText("after", ["", help.groups.examples, ...lines, "", help.groups.exits, ...codes].join("\n"));
}

export function leaf(parent: Command, take: Take, { usage, summary, own, lesson }: Leaf): Command {
  const command = parent.command(usage).description(summary);
  own?.(command.optionsGroup(help.groups.own));
  common(command, help.option.jsonOnly);
  const names: string[] = [];
  for (let one: Command = command; one.parent; one = one.parent) names.unshift(one.name());
  const taught = lesson ?? lessonFrom(lessons.get(parent), names.join(" "));
  if (taught) teach(command, taught);
  return command.action(() => take({ name: names.join(" "), words: command.args, options: optionsOf(command) }));
}

export function group(program: Command, name: string, summary: string, lesson?: Lesson): Command {
  const command = program.command(name).description(summary).helpCommand(false);
  if (lesson) teach(command, lesson);
  return command;
}

/** What a group of commands teaches, its commands teach their part of. */
const lessons = new WeakMap<Command, Lesson>();

function lessonFrom(whole: Lesson | undefined, name: string): Lesson | undefined {
  const examples = (whole?.examples ?? []).filter(([line]) => `${line} `.includes(`fettle ${name} `));
  return whole && examples.length > 0 ? { examples, exits: whole.exits } : undefined;
}
