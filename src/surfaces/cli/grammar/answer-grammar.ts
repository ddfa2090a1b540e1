// The grammar of what answers, stops and identifies: `fettle approvals`, `approve`, `deny`, `stop`, `identity`.
import type { Command } from "commander";
import { group, leaf, type Take } from "./grammar.ts";
import { answerHelp } from "./answer-help.ts";
import { help } from "./help.ts";

export function answerCommands(program: Command, take: Take): void {
  program.commandsGroup(help.groups.answer);
  const as = (command: Command) => command.option("--as <identity>", help.option.as);
  leaf(program, take, {
    usage: "approvals [id]",
    summary: help.approvals,
    lesson: answerHelp.approvals,
    own: (command) => command.option("--watch", help.option.watch).option("--all", help.option.all),
  });
  leaf(program, take, {
    usage: "approve <id>",
    summary: help.approve,
    lesson: answerHelp.approve,
    own: (command) =>
      as(
        command
          .option("--session", help.option.forSession)
          .option("--like", help.option.forLike)
          .option("--always", help.option.forAlways),
      ),
  });
  leaf(program, take, {
    usage: "deny <id>",
    summary: help.deny,
    lesson: answerHelp.deny,
    own: (command) => as(command.option("--why <text>", help.option.why)),
  });
  leaf(program, take, {
    usage: "stop [session]",
    summary: help.stop,
    lesson: answerHelp.stop,
    own: (command) =>
      command
        .option("--list", help.option.listRuns)
        .option("--all", help.option.allRuns)
        .option("--everywhere", help.option.runsEverywhere)
        .option("--force", help.option.forceStop),
  });
  const identity = group(program, "identity", help.identity, answerHelp.identity);
  leaf(identity, take, { usage: "list", summary: help.identityList });
  leaf(identity, take, {
    usage: "add <name>",
    summary: help.identityAdd,
    own: (command) =>
      command.option("--role <role>", help.option.role).option("--approver <role>", help.option.approver),
  });
  leaf(identity, take, { usage: "remove <name>", summary: help.identityRemove });
}
