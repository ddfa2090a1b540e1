// The command line's grammar, over commander. Actions are thunks: what they need is loaded when they run.
import { Command, CommanderError } from "commander";
import { common, group, type Job, leaf, optionsOf, type Take } from "./grammar/grammar.ts";
import { asPrompt, type Lead, leadOf, spelledOut } from "./grammar/lead.ts";
import { lookBackCommands } from "./grammar/look-back-grammar.ts";
import { policyCommands } from "./grammar/policy-grammar.ts";
import { recordCommands } from "./grammar/record-grammar.ts";
import { setUpCommands } from "./grammar/set-up-grammar.ts";
import { agentsCommands } from "./grammar/agents-grammar.ts";
import { answerCommands } from "./grammar/answer-grammar.ts";
import { taskCommands } from "./grammar/task-grammar.ts";
import { answerHelp } from "./grammar/answer-help.ts";
import { general } from "./words/general.ts";
import { help } from "./grammar/help.ts";
import { understandHelp } from "./grammar/understand-help.ts";

function promptOptions(program: Command): void {
  program
    .optionsGroup(help.groups.prompt)
    .option("-p, --print", help.option.print)
    .option("-q, --quiet", help.option.quiet)
    .option("-m, --model <provider/model>", help.option.model)
    .option("--profile <profile>", help.option.profile)
    .option("--strategy <strategy>", help.option.strategy)
    .option("--effort <level>", help.option.effort)
    .option("--output-schema <file>", help.option.outputSchema)
    .option("--record <file>", help.option.record)
    .optionsGroup(help.groups.session)
    .option("-c, --continue", help.option.continue)
    .option("--resume <id>", help.option.resume)
    .option("--incognito", help.option.incognito)
    .optionsGroup(help.groups.limits)
    .option("--autonomy <level>", help.option.autonomy)
    .option("--mode <mode>", help.option.mode)
    .option("--role <role>", help.option.roleFlag)
    .option("--max-cost <usd>", help.option.maxCost)
    .option("--max-rounds <number>", help.option.maxRounds)
    .option("--wait-approvals [seconds]", help.option.waitApprovals);
}

function examplesText(): string {
  const width = Math.max(...general.examples.map(([line]) => line.length));
  const examples = general.examples.map(([line, what]) => `  ${line.padEnd(width)}  ${what}`);
  const codes = general.exitCodes.map(([code, what]) => `  ${code.padStart(3)}  ${what}`);
  return ["", help.groups.examples, ...examples, "", help.groups.exits, ...codes].join("\n");
}

/** Name and arguments; that there are options, each command's own help says. */
function termOf(command: Command): string {
  const taken = command.registeredArguments.map((one) => (one.required ? `<${one.name()}>` : `[${one.name()}]`));
  return [command.name(), ...taken].join(" ");
}

function otherCommands(program: Command, take: Take): void {
  program.commandsGroup(help.groups.understand);
  leaf(program, take, {
    usage: "explain [command]",
    summary: help.explain,
    lesson: answerHelp.explain,
    own: (command) =>
      command
        .option("--batch", help.option.batch)
        .option("--root <folder>", help.option.batchRoot)
        .option("--resolve <file>", help.option.batchResolve)
        .option("--containment <on|off>", help.option.batchContainment),
  });
  policyCommands(group(program, "policy", help.policy, understandHelp.policy), (parent, own) =>
    leaf(parent, take, own),
  );
  const scan = group(program, "scan", help.scan, understandHelp.scan);
  leaf(scan, take, {
    usage: "secrets [file...]",
    summary: help.scanSecrets,
    own: (command) => command.option("--batch", help.option.batchSecrets),
  });
  leaf(scan, take, {
    usage: "injection [file...]",
    summary: help.scanInjection,
    own: (command) => command.option("--batch", help.option.batchInjection),
  });
  leaf(scan, take, {
    usage: "packages [manifest...]",
    summary: help.scanPackages,
    own: (command) => command.option("--batch", help.option.batchPackages),
  });
  recordCommands(program, take);
  leaf(program, take, {
    usage: "demo [name] [sample]",
    summary: help.demo,
    lesson: understandHelp.demo,
    own: (command) => command.option("--list", help.option.list).option("--json", help.option.listJson),
  });
  const schema = group(program, "schema", help.schema, understandHelp.schema);
  leaf(schema, take, { usage: "events", summary: help.schemaEvents });
}

export type { Job } from "./grammar/grammar.ts";

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

/** Never exits and never writes: says what to do. */
export function parseArguments(argv: readonly string[], version: string): Parsed {
  const parsed: Parsed = { text: "", where: "fettle" };
  const program = new Command("fettle").description(general.tagline);
  program
    .argument("[prompt...]", help.promptArgument)
    .enablePositionalOptions()
    .helpCommand(false)
    .configureHelp({ subcommandTerm: termOf })
    .exitOverride()
    .configureOutput({ writeOut: (text) => (parsed.text += text), writeErr: () => undefined });
  const said: string[] = [];
  const take: Take = (job) => {
    parsed.job = { ...job, words: [...job.words, ...said] };
  };
  promptOptions(program);
  common(program, help.option.json);
  program.optionsGroup(help.groups.common).version(`fettle ${version}`, "-V, --version", help.option.version);
  program.helpOption("-h, --help", help.option.help);
  const lead = leadOf(argv, program.options);
  if (asksForHelp(argv) || mayName(argv, lead)) addCommands(program, take);
  program.addHelpText("after", examplesText());
  program.action(() => take({ name: "prompt", words: program.args, options: optionsOf(program) }));
  try {
    const { before, behind } = apart(argv, lead, program);
    said.push(...behind);
    program.parse(asksForHelp(argv) ? [...argv.slice(1), "--help"] : valuesJoined(before), { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0 && error.code !== "commander.help") return parsed;
    Object.assign(parsed, problemOf(error, program, argv));
    const meant = /excessArguments|unknownCommand/.test(error.code) && !parsed.problem?.includes("did you mean");
    if (meant && lead.at !== undefined) parsed.prompt = asPrompt(argv.slice(lead.at));
  }
  return parsed;
}

function addCommands(program: Command, take: Take): void {
  taskCommands(program, take);
  agentsCommands(program, take);
  setUpCommands(program, take);
  answerCommands(program, take);
  lookBackCommands(program, take);
  otherCommands(program, take);
}

/** Whether a command or the help for them may be meant: a prompt's start does not wait for sixty commands. */
const mayName = (argv: readonly string[], { at, end, print }: Lead): boolean =>
  (at !== undefined && !print && (commandNames as readonly string[]).includes(argv[at] ?? "")) ||
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
  first === "help" && (second === undefined || (commandNames as readonly string[]).includes(second));

/** Commander's message as one sentence; a group without its command is a question for help. */
function problemOf(error: CommanderError, program: Command, argv: readonly string[]): Partial<Parsed> {
  const [command, where] = namedIn(argv, program);
  const problem =
    error.code === "commander.help"
      ? help.whichCommand(
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
    const inner = command.commands.find((one) => one.name() === word);
    if (!inner) break;
    command = inner;
    where.push(word);
  }
  return [command, where.join(" ")];
}

/** Names that a mistyped first word may have meant. */
export const commandNames = [
  "task",
  "agents",
  "models",
  "router",
  "login",
  "logout",
  "doctor",
  "config",
  "sessions",
  "approvals",
  "approve",
  "deny",
  "stop",
  "identity",
  "rewind",
  "cost",
  "trust",
  "hooks",
  "audit",
  "explain",
  "policy",
  "scan",
  "record",
  "demo",
  "schema",
] as const;
