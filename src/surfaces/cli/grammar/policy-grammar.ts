// The grammar of `fettle policy`.
import { type Command, Option } from "commander";
import { help } from "./help.ts";

type AddLeaf = (parent: Command, leaf: { usage: string; summary: string; own?: (command: Command) => Command }) => void;

export function policyCommands(policy: Command, leaf: AddLeaf): void {
  const rank = () => new Option("--as <rank>", help.option.rank).choices(["machine", "user", "team"]);
  const span = (command: Command): Command =>
    command.option("--since <time>", help.option.since).option("--until <time>", help.option.until);
  leaf(policy, {
    usage: "check [file]",
    summary: help.policyCheck,
    own: (command) => command.addOption(rank()),
  });
  leaf(policy, { usage: "explain [what]", summary: help.policyExplain });
  leaf(policy, { usage: "test [file]", summary: help.policyTest, own: (command) => command.addOption(rank()) });
  leaf(policy, { usage: "diff <old> <new>", summary: help.policyDiff, own: span });
  leaf(policy, {
    usage: "suggest",
    summary: help.policySuggest,
    own: (command) =>
      command
        .option("--least <count>", help.option.least)
        .option("--since <time>", help.option.since)
        .option("--write", help.option.writeRules),
  });
  leaf(policy, { usage: "accept [session]", summary: help.policyAccept });
}
