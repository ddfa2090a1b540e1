// The command line's grammar, over commander: the prompt's own, and that of the one command that is named.
import { Command, CommanderError, type Option } from "commander";
import { commandGroups, commandRows, words as listed } from "./commands.ts";
import { common, type Define, type Job, optionsOf, starter } from "./host/grammar.ts";
import { headings, option } from "./host/options.ts";
import { asPrompt, type Lead, leadOf, spelledOut } from "./lead.ts";
import { phrases } from "../phrases/phrases.ts";
import { general } from "./words/general.ts";

export const words = phrases("program", {
  titles: { "Usage:": "Usage:", "Arguments:": "Arguments:", "Options:": "Options:", "Commands:": "Commands:" },
  choices: (names: string) => `one of ${names}`,
  usual: (value: string) => `default: ${value}`,
  promptArgument: "what to do; without it an interactive session begins",
  whichCommand: (where: string, names: readonly string[]) =>
    `Say which command of '${where}' you mean: ${names.join(", ")}.`,
});

function promptOptions(program: Command): void {
  program
    .optionsGroup(headings.prompt)
    .option("-p, --print", option.print)
    .option("-q, --quiet", option.quiet)
    .option("-m, --model <provider/model>", option.model)
    .option("--profile <profile>", option.profile)
    .option("--strategy <strategy>", option.strategy)
    .option("--effort <level>", option.effort)
    .option("--output-schema <file>", option.outputSchema)
    .option("--record <file>", option.record)
    .optionsGroup(headings.session)
    .option("-c, --continue", option.continue)
    .option("--resume <id>", option.resume)
    .option("--fork", option.fork)
    .option("--incognito", option.incognito)
    .option("--plain", option.plain)
    .optionsGroup(headings.limits)
    .option("--autonomy <level>", option.autonomy)
    .option("--mode <mode>", option.mode)
    .option("--role <role>", option.roleFlag)
    .option("--max-cost <usd>", option.maxCost)
    .option("--max-rounds <number>", option.maxRounds)
    .option("--wait-approvals [seconds]", option.waitApprovals);
}

function examplesText(): string {
  const width = Math.max(...general.examples.map(([line]) => line.length));
  const examples = general.examples.map(([line, what]) => `  ${line.padEnd(width)}  ${what}`);
  const codes = general.exitCodes.map(([code, what]) => `  ${code.padStart(3)}  ${what}`);
  return ["", headings.examples, ...examples, "", headings.exits, ...codes].join("\n");
}

/** Name and arguments; that there are options, each command's own help says. */
function termOf(command: Command): string {
  const taken = command.registeredArguments.map((one) => (one.required ? `<${one.name()}>` : `[${one.name()}]`));
  return [command.name(), ...taken].join(" ");
}

export interface Parsed {
  job?: Job;
  /** Help or version text that commander wrote. */
  text: string;
  /** A wrong use, as commander words it. */
  problem?: string;
  /** The command that it belongs to, for `COMMAND --help`. */
  where: string;
  /** How the same words would be a prompt, where they may have been meant as one. */
  prompt?: string | undefined;
}

export interface CommandLine {
  /** The command that is named: its grammar is needed to go on. */
  named: (typeof commandRows)[number] | undefined;
  /** `define`: that grammar. Never exits and never writes: says what to do. */
  parse(define?: Define): Parsed;
}

export function readCommandLine(argv: readonly string[], version: string): CommandLine {
  const program = promptProgram(version);
  const lead = leadOf(argv, program.options);
  const asked = asksForHelp(argv) ? argv[1] : lead.print || lead.at === undefined ? undefined : argv[lead.at];
  const named = commandRows.find(({ name }) => name === asked);
  return { named, parse: (define) => parsed(program, { argv, lead, named: named?.name, define }) };
}

function promptProgram(version: string): Command {
  const program = new Command("fettle").description(general.tagline);
  program
    .argument("[prompt...]", words.promptArgument)
    .enablePositionalOptions()
    .helpCommand(false)
    .configureHelp({
      subcommandTerm: termOf,
      optionDescription: optionText,
      argumentDescription: ({ description }) => description,
      styleTitle: (title) => words.titles[title as keyof typeof words.titles] ?? title,
    })
    .exitOverride();
  promptOptions(program);
  common(program, option.json);
  program.version(`fettle ${version}`, "-V, --version", option.version);
  return program.helpOption("-h, --help", option.help);
}

/** Commander's own notes behind a description, in the language that is spoken. */
function optionText({ description, argChoices, defaultValue, required, optional }: Option): string {
  const notes = [
    ...(argChoices === undefined ? [] : [words.choices(argChoices.join(", "))]),
    ...(defaultValue === undefined || !(required || optional) ? [] : [words.usual(String(defaultValue))]),
  ];
  return notes.length === 0 ? description : `${description} (${notes.join("; ")})`;
}

/** With every command and all that each takes. */
export async function wholeProgram(version: string): Promise<Command> {
  const program = promptProgram(version);
  const grammars = new Map<string, Define>();
  for (const { name, load } of commandRows) grammars.set(name, (await load()).define);
  addCommands(program, (command) =>
    grammars.get(command.name())?.(
      command,
      starter(() => undefined),
    ),
  );
  return program;
}

interface Given {
  argv: readonly string[];
  lead: Lead;
  named: string | undefined;
  define: Define | undefined;
}

function parsed(program: Command, { argv, lead, named, define }: Given): Parsed {
  const result: Parsed = { text: "", where: "fettle" };
  program.configureOutput({ writeOut: (text) => (result.text += text), writeErr: () => undefined });
  const said: string[] = [];
  const take = (job: Job): void => {
    result.job = { ...job, words: [...job.words, ...said] };
  };
  if (named !== undefined || asksForHelp(argv) || mayAskForHelp(argv, lead)) {
    addCommands(program, (command) => command.name() === named && define?.(command, starter(take)));
  }
  program.addHelpText("after", examplesText());
  program.action(() => take({ name: "prompt", words: program.args, options: optionsOf(program) }));
  try {
    const { before, behind } = apart(argv, lead, program);
    said.push(...behind);
    program.parse(asksForHelp(argv) ? [...argv.slice(1), "--help"] : valuesJoined(before), { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0 && error.code !== "commander.help") return result;
    Object.assign(result, problemOf(error, program, argv));
    const meant = /excessArguments|unknownCommand/.test(error.code) && !result.problem?.includes("did you mean");
    if (meant && lead.at !== undefined) result.prompt = asPrompt(argv.slice(lead.at));
  }
  return result;
}

/** All by name, for the help; what the named one takes is in its file. */
function addCommands(program: Command, define: (command: Command) => void): void {
  for (const { heading, rows } of commandGroups) {
    program.commandsGroup(listed.headings[heading]);
    for (const { name, takes } of rows)
      define(program
        .command(takes === undefined ? name : `${name} ${takes}`)
        .description(listed.summaries[name])
        .helpCommand(false));
  }
}

const mayAskForHelp = (argv: readonly string[], { end }: Lead): boolean =>
  argv.slice(0, end).some((word) => word === "--help" || /^-[a-z]*h/.test(word));

/** Words behind `--` are a prompt's, or a task's: commander would still take the first one for a command's name. */
function apart(
  argv: readonly string[],
  { at, end, print }: Lead,
  program: Command,
): { before: readonly string[]; behind: readonly string[] } {
  const task = at !== undefined && argv[at] === "task" && program.commands.find((one) => one.name() === "task");
  const isTask = task && !argv.slice(0, end).some((word) => task.commands.some((one) => one.name() === word));
  if (at === undefined || isTask) return { before: argv.slice(0, end), behind: argv.slice(end + 1) };
  return { before: print ? argv : spelledOut(argv, at), behind: [] };
}

/** A whole number behind the flag is its seconds; any other word is the prompt. */
const valuesJoined = (argv: readonly string[]): string[] => {
  const end = argv.includes("--") ? argv.indexOf("--") : argv.length;
  const at = argv.indexOf("--wait-approvals");
  if (at === -1 || at >= end) return [...argv];
  const seconds = /^\d+$/.test(argv[at + 1] ?? "") && at + 1 < end ? argv[at + 1] : undefined;
  return argv.toSpliced(at, seconds === undefined ? 1 : 2, `--wait-approvals=${seconds ?? 0}`);
};

/** `help` alone or before a command; any other sentence that begins with it is a prompt. */
const asksForHelp = ([first, second]: readonly string[]): boolean =>
  first === "help" && (second === undefined || commandNames.includes(second));

/** Commander's message as one sentence; a group without its command is a question for help. */
function problemOf(error: CommanderError, program: Command, argv: readonly string[]): Partial<Parsed> {
  const [command, where] = namedIn(argv, program);
  const problem =
    error.code === "commander.help"
      ? words.whichCommand(
          where,
          command.commands.map((one) => one.name()),
        )
      : error.message.replace(/^error: /, "").replace(/\s*\n\(Did you mean (.+?)\?\)/, "; did you mean $1?");
  return { problem: problem.replace(/([^.?])$/, "$1."), where, text: "" };
}

/** The command that is meant, behind options and their values, and its whole name. */
function namedIn(argv: readonly string[], program: Command): [Command, string] {
  const where = ["fettle"];
  let command = program;
  let isValue = false;
  for (const word of argv) {
    if (isValue || word.startsWith("-")) {
      isValue =
        !isValue &&
        command.options.some((option) => option.required && (option.short === word || option.long === word));
      continue;
    }
    const inner = command.commands.find((one) => one.name() === word || one.aliases().includes(word));
    if (!inner) break;
    command = inner;
    where.push(word);
  }
  return [command, where.join(" ")];
}

/** Names that a mistyped first word may have meant. */
export const commandNames: readonly string[] = commandRows.map(({ name }) => name);
