// The grammar of `fettle router`.
import { type Command, Option } from "commander";
import { group, leaf, type Take, teach } from "./grammar.ts";
import { help } from "./help.ts";
import { modelHelp } from "./model-help.ts";

const number = (flags: string, summary: string, usual: string): Option =>
  new Option(flags, summary).default(usual, usual);

export function routerCommands(program: Command, take: Take): void {
  const router = group(program, "router", help.router);
  teach(router, modelHelp.router);
  leaf(router, take, { usage: "stats", summary: help.routerStats, lesson: modelHelp.routerStats });
  leaf(router, take, {
    usage: "explain <prompt...>",
    summary: help.routerExplain,
    lesson: modelHelp.routerExplain,
    own: (command) =>
      command
        .option("-m, --model <word>", help.option.routedModel)
        .option("--profile <profile>", help.option.profile)
        .option("--strategy <strategy>", help.option.strategy)
        .option("--mission <name>", help.option.mission)
        .option("--plan", help.option.planOnly)
        .option("--incognito", help.option.incognito)
        .option("--autonomy <level>", help.option.autonomy)
        .option("--role <role>", help.option.roleFlag)
        .option("--max-cost <usd>", help.option.maxCost),
  });
  leaf(router, take, {
    usage: "simulate",
    summary: help.routerSimulate,
    lesson: modelHelp.routerSimulate,
    own: (command) =>
      command
        .addOption(number("--rounds <number>", help.option.simulatedRounds, "1000"))
        .addOption(number("--arms <number>", help.option.simulatedArms, "6"))
        .addOption(number("--seed <number>", help.option.seed, "1"))
        .option("--scenario <name>", help.option.scenario)
        .option("--profile <profile>", help.option.profile),
  });
  leaf(router, take, {
    usage: "reset",
    summary: help.routerReset,
    lesson: modelHelp.routerReset,
    own: (command) =>
      command
        .option("--arm <provider/model>", help.option.resetArm)
        .option("--type <kind>", help.option.resetType)
        .option("-y, --yes", help.option.yes),
  });
  for (const word of ["good", "bad"] as const)
    leaf(router, take, {
      usage: `${word} [why...]`,
      summary: word === "good" ? help.routerGood : help.routerBad,
      own: (command) => command.option("--resume <id>", help.option.ratedSession),
    });
}
