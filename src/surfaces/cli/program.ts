// The command line's grammar, over commander. Actions are thunks: what they need is loaded when they run.
import { Command, CommanderError, Option } from "commander";
import { common, group, type Job, leaf, optionsOf, type Take } from "./grammar.ts";
import { policyCommands } from "./policy-grammar.ts";
import { recordCommands } from "./record-grammar.ts";
import { routerCommands } from "./router-grammar.ts";
import { agentsCommands } from "./agents-grammar.ts";
import { answerCommands } from "./answer-grammar.ts";
import { taskCommands } from "./task-grammar.ts";
import { answerHelp } from "./words/answer-help.ts";
import { general } from "./words/general.ts";
import { help } from "./words/help.ts";
import { modelHelp } from "./words/model-help.ts";

function promptOptions(program: Command): void {
  program
    .optionsGroup(help.groups.prompt)
    .option("-p, --print", help.option.print)
    .option("-q, --quiet", help.option.quiet)
    .option("-m, --model <provider/model>", help.option.model)
    .option("--profile <profile>", help.option.profile)
    .option("--strategy <strategy>", help.option.strategy)
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

function setUpCommands(program: Command, take: Take): void {
  program.commandsGroup(help.groups.setUp);
  leaf(program, take, {
    usage: "models [model...]",
    summary: help.models,
    lesson: modelHelp.models,
    own: (command) => command.option("--all", help.option.allModels).option("--probe", help.option.probe),
  });
  routerCommands(program, take);
  leaf(program, take, {
    usage: "login [provider]",
    summary: help.login,
    own: (command) => command.option("--plain-file", help.option.plainFile),
  });
  leaf(program, take, { usage: "logout <provider>", summary: help.logout });
  leaf(program, take, { usage: "doctor", summary: help.doctor });
  const config = group(program, "config", help.config);
  leaf(config, take, {
    usage: "show [key]",
    summary: help.configShow,
    own: (command) => command.option("--verbose", help.option.verbose),
  });
  leaf(config, take, { usage: "get <key>", summary: help.configGet });
  leaf(config, take, {
    usage: "set <key> <value>",
    summary: help.configSet,
    own: (command) => command.option("--project", help.option.project),
  });
  leaf(config, take, { usage: "path", summary: help.configPath });
  leaf(config, take, { usage: "schema", summary: help.configSchema });
  const trust = group(program, "trust", help.trust);
  leaf(trust, take, { usage: "show", summary: help.trustShow });
  leaf(trust, take, {
    usage: "accept",
    summary: help.trustAccept,
    own: (command) => command.option("-y, --yes", help.option.yes),
  });
  leaf(trust, take, { usage: "revoke", summary: help.trustRevoke });
  const hooks = group(program, "hooks", help.hooks);
  leaf(hooks, take, { usage: "list", summary: help.hooksList });
  leaf(hooks, take, {
    usage: "test <event>",
    summary: help.hooksTest,
    own: (command) =>
      command.option("--tool <name>", help.option.hookTool).option("--input <json>", help.option.hookInput),
  });
}

const costShares = ["model", "task", "tool", "day", "session", "agent", "call"] as const;

const limit = (flags: string, description: string, most?: string): Option => {
  const option = new Option(flags, description);
  return most === undefined ? option : option.default(most, most);
};

function lookBackCommands(program: Command, take: Take): void {
  program.commandsGroup(help.groups.lookBack);
  const sessions = group(program, "sessions", help.sessions);
  leaf(sessions, take, {
    usage: "list",
    summary: help.sessionsList,
    own: (command) => command.addOption(limit("--limit <number>", help.option.limit, "20")),
  });
  leaf(sessions, take, {
    usage: "show <id>",
    summary: help.sessionsShow,
    own: (command) => command.option("--context", help.sessionsContext).option("--recall <words>", help.sessionsRecall),
  });
  leaf(sessions, take, { usage: "export <id>", summary: help.sessionsExport });
  leaf(sessions, take, {
    usage: "delete <id>",
    summary: help.sessionsDelete,
    own: (command) => command.option("-y, --yes", help.option.yes),
  });
  leaf(program, take, { usage: "rewind [turn]", summary: help.rewind, own: rewindOptions });
  leaf(program, take, {
    usage: "cost",
    summary: help.cost,
    lesson: modelHelp.cost,
    own: (command) =>
      command
        .addOption(new Option("--by <share>", help.option.costBy).choices([...costShares]))
        .option("--since <time>", help.option.since)
        .option("--session <id>", help.option.session),
  });
  auditCommands(program, take);
}

const rewindOptions = (command: Command): Command =>
  command
    .option("--files", help.option.files)
    .option("--conversation", help.option.conversation)
    .option("-y, --yes", help.option.yes)
    .option("--force", help.option.force)
    .option("--session <id>", help.option.session);

function auditCommands(program: Command, take: Take): void {
  const audit = group(program, "audit", help.audit);
  const entries = (most?: string) => limit("-n, --limit <number>", help.option.entries, most);
  leaf(audit, take, {
    usage: "verify",
    summary: help.auditVerify,
    own: (command) => command.option("--against <place>", help.option.against),
  });
  leaf(audit, take, {
    usage: "tail",
    summary: help.auditTail,
    own: (command) => filters(command.addOption(entries("20"))),
  });
  leaf(audit, take, {
    usage: "query [text]",
    summary: help.auditQuery,
    own: (command) => filters(command.addOption(entries())),
  });
  leaf(audit, take, {
    usage: "export",
    summary: help.auditExport,
    own: (command) => filters(command.addOption(exportFormat())),
  });
  leaf(audit, take, {
    usage: "key",
    summary: help.auditKey,
    own: (command) => command.option("--rotate", help.option.rotate),
  });
  leaf(audit, take, {
    usage: "replay",
    summary: help.auditReplay,
    own: (command) =>
      command
        .option("--policy <file>", help.option.newPolicy)
        .option("--session <id>", help.option.onlySession)
        .option("--since <time>", help.option.since)
        .option("--until <time>", help.option.until),
  });
  leaf(audit, take, {
    usage: "checkpoint",
    summary: help.auditCheckpoint,
    own: (command) => command.option("--to <place>", help.option.copyTo),
  });
}

const exportFormat = (): Option =>
  new Option("--format <format>", help.option.format).choices(["jsonl", "csv", "ocsf"]).default("jsonl", "jsonl");

const filters = (command: Command): Command =>
  command
    .option("--actor <name>", help.option.actor)
    .option("--tool <name>", help.option.tool)
    .addOption(new Option("--verdict <verdict>", help.option.verdict).choices(["allow", "notify", "ask", "deny"]))
    .addOption(new Option("--risk <level>", help.option.risk).choices(["L0", "L1", "L2", "L3"]))
    .option("--session <id>", help.option.onlySession)
    .option("--since <time>", help.option.since)
    .option("--until <time>", help.option.until);

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
        .option("--resolve <file>", help.option.batchResolve),
  });
  policyCommands(group(program, "policy", help.policy), (parent, own) => leaf(parent, take, own));
  const scan = group(program, "scan", help.scan);
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
    own: (command) => command.option("--list", help.option.list).option("--json", help.option.listJson),
  });
  const schema = group(program, "schema", help.schema);
  leaf(schema, take, { usage: "events", summary: help.schemaEvents });
}

export type { Job } from "./grammar.ts";

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
  common(program, help.option.json);
  program.optionsGroup(help.groups.common).version(`fettle ${version}`, "-V, --version", help.option.version);
  program.helpOption("-h, --help", help.option.help);
  if (mayName(argv)) addCommands(program, take);
  program.addHelpText("after", examplesText());
  program.action(() => take({ name: "prompt", words: program.args, options: optionsOf(program) }));
  try {
    program.parse(asksForHelp(argv) ? [...argv.slice(1), "--help"] : valuesJoined(argv), { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0 || error.code === "commander.help") Object.assign(parsed, problemOf(error, program, argv));
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
const mayName = (argv: readonly string[]): boolean =>
  argv.some((word) => commandWords.has(word) || /^-[a-z]*h/.test(word));

/** The flag takes its number by `=` only: what follows it is the prompt. */
const valuesJoined = (argv: readonly string[]): string[] => {
  const end = argv.includes("--") ? argv.indexOf("--") : argv.length;
  return argv.map((word, at) => (word === "--wait-approvals" && at < end ? "--wait-approvals=0" : word));
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

const commandWords: ReadonlySet<string> = new Set<string>([...commandNames, "help", "--help"]);
