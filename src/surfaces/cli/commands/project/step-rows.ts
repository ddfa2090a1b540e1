// Commands of steps that ask a model, from rows of a table: what stands behind each, and its own flags.
import type { Command } from "commander";
import type { Start } from "../../host/grammar.ts";
import { argumentsOf, withModel } from "./loop.ts";
import { runStep } from "./step.ts";

/** With the name of its sentence, which is looked up when the command is made: the language is known by then. */
export type Flag<Text extends string> = readonly [flag: string, text: Text];
/** The step, what stands behind it, and its flags. */
export type StepRow<Name extends string, Text extends string> = readonly [Name, string, readonly Flag<Text>[]];

interface StepWords<Name extends string, Text extends string> {
  help: Readonly<Record<Name, string>>;
  options: Readonly<Record<Text | "answer", string>>;
  examples: Readonly<Record<Name, readonly (readonly [string, string])[]>>;
  exits: readonly (readonly [string, string])[];
}

export type Given = Record<string, string | boolean | string[] | undefined>;

export function defineSteps<Name extends string, Text extends string>(
  project: Command,
  start: Start,
  rows: readonly StepRow<Name, Text>[],
  words: StepWords<Name, Text>,
): void {
  for (const [name, takes, flags] of rows) {
    const command = answered(
      withModel(project.command(`${name}${takes}`).description(words.help[name])),
      words.options.answer,
    );
    for (const [flag, text] of flags) command.option(flag, words.options[text]);
    const own = flags.map(([flag]) => flag);
    start<Given>(
      command,
      (context, said, given) => runStep(context, name, argumentsOf(said, optionsOf(own, given)), answersOf(given)),
      { lesson: { examples: words.examples[name], exits: words.exits } },
    );
  }
}

export const answered = (command: Command, help: string): Command =>
  command.option("--answer <text>", help, (text: string, before?: string[]) => [...(before ?? []), text]);

export const answersOf = ({ answer }: Given): { answer?: readonly string[] } =>
  Array.isArray(answer) ? { answer } : {};

/** `--skip-research` is `skip-research`; `--no-research` is `research: false`. */
const keyOf = (flag: string): string => /^--(?:no-)?([\w-]+)/.exec(flag)?.[1] ?? flag;

const camel = (key: string): string => key.replace(/-(\w)/g, (_all, letter: string) => letter.toUpperCase());

export function optionsOf(flags: readonly string[], given: Given): Record<string, string | boolean | undefined> {
  return Object.fromEntries(
    flags.map((flag) => {
      const key = keyOf(flag);
      const value = given[camel(key)];
      const usual = flag.startsWith("--no-") && value === true;
      return [key, usual || Array.isArray(value) ? undefined : value];
    }),
  );
}
