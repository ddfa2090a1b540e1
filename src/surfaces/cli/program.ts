// The command line's grammar, over commander. Actions are thunks: what they need is loaded when they run.
import { Command, CommanderError, Option } from "commander";
import type { Options } from "./flags.ts";
import { general } from "./words/general.ts";
import { help } from "./words/help.ts";

/** What the command line asked for: run it with the options that were given. */
export interface Job {
  name: string;
  words: string[];
  options: Options & { [name: string]: unknown };
}

/** Options that every command takes. */
function common(command: Command): Command {
  return command
    .optionsGroup(help.groups.common)
    .option("--cwd <folder>", help.option.cwd)
    .option("--json", help.option.json)
    .option("--no-color", help.option.noColor)
    .option("--debug", help.option.debug);
}

function promptOptions(program: Command): void {
  program
    .optionsGroup(help.groups.prompt)
    .option("-p, --print", help.option.print)
    .option("-q, --quiet", help.option.quiet)
    .option("-m, --model <provider/model>", help.option.model)
    .option("--output-schema <file>", help.option.outputSchema)
    .option("--record <file>", help.option.record)
    .optionsGroup(help.groups.session)
    .option("-c, --continue", help.option.continue)
    .option("--resume <id>", help.option.resume)
    .optionsGroup(help.groups.limits)
    .option("--autonomy <level>", help.option.autonomy)
    .option("--mode <mode>", help.option.mode)
    .option("--max-cost <usd>", help.option.maxCost)
    .option("--max-rounds <number>", help.option.maxRounds);
}

function examplesText(): string {
  const width = Math.max(...general.examples.map(([line]) => line.length));
  const examples = general.examples.map(([line, what]) => `  ${line.padEnd(width)}  ${what}`);
  const codes = general.exitCodes.map(([code, what]) => `  ${code.padStart(3)}  ${what}`);
  return ["", help.groups.examples, ...examples, "", help.groups.exits, ...codes].join("\n");
}

/** Keeps the merged options of a command and its parents; a later level's choice stands. */
function optionsOf(command: Command): Job["options"] {
  const parents: Command[] = [];
  for (let one: Command | null = command; one; one = one.parent) parents.unshift(one);
  const merged: Job["options"] = Object.assign({}, ...parents.map((one) => one.opts()));
  if (parents.some((one) => one.opts()["color"] === false)) merged.color = false;
  return merged;
}

/** Name and arguments; that there are options, each command's own help says. */
function termOf(command: Command): string {
  const taken = command.registeredArguments.map((one) => (one.required ? `<${one.name()}>` : `[${one.name()}]`));
  return [command.name(), ...taken].join(" ");
}

type Take = (job: Job) => void;

function leaf(parent: Command, usage: string, summary: string, take: Take): Command {
  const command = common(parent.command(usage).description(summary));
  const names: string[] = [];
  for (let one: Command = command; one.parent; one = one.parent) names.unshift(one.name());
  return command.action(() => take({ name: names.join(" "), words: command.args, options: optionsOf(command) }));
}

function group(program: Command, name: string, summary: string): Command {
  return program.command(name).description(summary);
}

function setUpCommands(program: Command, take: Take): void {
  program.commandsGroup(help.groups.setUp);
  leaf(program, "models", help.models, take);
  leaf(program, "login [provider]", help.login, take).option("--plain-file", help.option.plainFile);
  leaf(program, "logout <provider>", help.logout, take);
  leaf(program, "doctor", help.doctor, take);
  const config = group(program, "config", help.config);
  leaf(config, "show", help.configShow, take);
  leaf(config, "get <key>", help.configGet, take);
  leaf(config, "set <key> <value>", help.configSet, take).option("--project", help.option.project);
  leaf(config, "path", help.configPath, take);
  leaf(config, "schema", help.configSchema, take);
}

function lookBackCommands(program: Command, take: Take): void {
  program.commandsGroup(help.groups.lookBack);
  const sessions = group(program, "sessions", help.sessions);
  leaf(sessions, "list", help.sessionsList, take).option("--limit <number>", help.option.limit, "20");
  leaf(sessions, "show <id>", help.sessionsShow, take);
  leaf(sessions, "export <id>", help.sessionsExport, take);
  leaf(sessions, "delete <id>", help.sessionsDelete, take).option("-y, --yes", help.option.yes);
  leaf(program, "rewind [turn]", help.rewind, take)
    .option("--files", help.option.files)
    .option("--conversation", help.option.conversation)
    .option("-y, --yes", help.option.yes)
    .option("--force", help.option.force)
    .option("--session <id>", help.option.session);
  leaf(program, "cost", help.cost, take).option("--session <id>", help.option.session);
  const audit = group(program, "audit", help.audit);
  leaf(audit, "verify", help.auditVerify, take);
  filters(leaf(audit, "tail", help.auditTail, take).option("-n, --limit <number>", help.option.entries, "20"));
  filters(leaf(audit, "query [text]", help.auditQuery, take).option("-n, --limit <number>", help.option.entries));
  filters(leaf(audit, "export", help.auditExport, take));
  leaf(audit, "key", help.auditKey, take);
}

function filters(command: Command): void {
  command
    .option("--tool <name>", help.option.tool)
    .addOption(new Option("--verdict <verdict>", help.option.verdict).choices(["allow", "notify", "ask", "deny"]))
    .addOption(new Option("--risk <level>", help.option.risk).choices(["L0", "L1", "L2", "L3"]))
    .option("--session <id>", help.option.session)
    .option("--since <time>", help.option.since)
    .option("--until <time>", help.option.until);
}

function otherCommands(program: Command, take: Take): void {
  program.commandsGroup(help.groups.understand);
  leaf(program, "explain [command]", help.explain, take).option("--batch", help.option.batch);
  leaf(program, "demo [name]", help.demo, take).option("--list", help.option.list);
  const schema = group(program, "schema", help.schema);
  leaf(schema, "events", help.schemaEvents, take);
}

export interface Parsed {
  job?: Job;
  /** Help or version text that commander wrote. */
  text: string;
  /** A wrong use, as commander words it. */
  problem?: string;
  /** The command that it belongs to, for `COMMAND --help`. */
  where: string;
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
  const take: Take = (job) => {
    parsed.job = job;
  };
  promptOptions(program);
  common(program);
  program.optionsGroup(help.groups.common).version(`fettle ${version}`, "-V, --version", help.option.version);
  program.helpOption("-h, --help", help.option.help);
  setUpCommands(program, take);
  lookBackCommands(program, take);
  otherCommands(program, take);
  program.addHelpText("after", examplesText());
  program.action(() => take({ name: "prompt", words: program.args, options: optionsOf(program) }));
  try {
    program.parse([...argv], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0 || error.code === "commander.help") Object.assign(parsed, problemOf(error, program, argv));
  }
  return parsed;
}

/** Commander's message as one sentence; a group without its command is a question for help. */
function problemOf(error: CommanderError, program: Command, argv: readonly string[]): Partial<Parsed> {
  const where = ["fettle"];
  let command: Command | undefined = program;
  for (const word of argv) {
    command = command.commands.find((one) => one.name() === word);
    if (!command) break;
    where.push(word);
  }
  const problem =
    error.code === "commander.help"
      ? help.whichCommand(where.join(" "))
      : error.message.replace(/^error: /, "").replace(/\s*\n\(Did you mean (.+?)\?\)/, "; did you mean $1?");
  return { problem: problem.replace(/([^.?])$/, "$1."), where: where.join(" "), text: "" };
}

/** Names that a mistyped first word may have meant. */
export const commandNames = [
  "models",
  "login",
  "logout",
  "doctor",
  "config",
  "sessions",
  "rewind",
  "cost",
  "audit",
  "explain",
  "demo",
  "schema",
] as const;
