// The grammar of looking back: `fettle sessions`, `rewind`, `cost`, `audit`.
import { type Command, Option } from "commander";
import { group, leaf, type Take } from "./grammar.ts";
import { help } from "./help.ts";
import { lookBackHelp } from "./look-back-help.ts";
import { modelHelp } from "./model-help.ts";

const costShares = ["model", "task", "tool", "day", "session", "agent", "call"] as const;

const limit = (flags: string, description: string, most?: string): Option => {
  const option = new Option(flags, description);
  return most === undefined ? option : option.default(most, most);
};

export function lookBackCommands(program: Command, take: Take): void {
  program.commandsGroup(help.groups.lookBack);
  const sessions = group(program, "sessions", help.sessions, lookBackHelp.sessions);
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
  leaf(program, take, {
    usage: "rewind [turn]",
    summary: help.rewind,
    lesson: lookBackHelp.rewind,
    own: rewindOptions,
  });
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
  const audit = group(program, "audit", help.audit, lookBackHelp.audit);
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
