// The grammar of `fettle record`.
import type { Command } from "commander";
import { common, leaf, optionsOf, type Take, teach } from "./grammar.ts";
import { help } from "./help.ts";
import { recordHelp } from "./recordings.ts";

/** A word that is no command of it is the file. */
export function recordCommands(program: Command, take: Take): void {
  const record = program.command("record [file] [prompt...]").description(help.record).helpCommand(false);
  record
    .optionsGroup(help.groups.own)
    .option("-p, --print", help.option.print)
    .option("-q, --quiet", help.option.quiet)
    .option("-m, --model <provider/model>", help.option.model)
    .option("--autonomy <level>", help.option.autonomy)
    .option("--mode <mode>", help.option.mode)
    .option("--max-cost <usd>", help.option.maxCost)
    .option("--max-rounds <number>", help.option.maxRounds)
    .option("-c, --continue", help.option.continue)
    .option("--resume <id>", help.option.resume);
  common(record, help.option.json);
  teach(record, recordHelp.record);
  record.action(() => take({ name: "record", words: record.args, options: optionsOf(record) }));
  leaf(record, take, { usage: "check <file>", summary: help.recordCheck, lesson: recordHelp.check });
  leaf(record, take, { usage: "show <file>", summary: help.recordShow, lesson: recordHelp.show });
}
