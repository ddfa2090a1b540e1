// The grammar of what is set up: `fettle models`, `login`, `doctor`, `config`, `trust`, `hooks`.
import { type Command, Option } from "commander";
import { group, leaf, type Take } from "./grammar.ts";
import { routerCommands } from "./router-grammar.ts";
import { help } from "./help.ts";
import { modelHelp } from "./model-help.ts";
import { setUpHelp } from "./set-up-help.ts";

export function setUpCommands(program: Command, take: Take): void {
  program.commandsGroup(help.groups.setUp);
  const models = leaf(program, take, {
    usage: "models [model...]",
    summary: help.models,
    lesson: modelHelp.models,
    own: (command) =>
      command.option("--all", help.option.allModels).addOption(new Option("--probe", help.modelsProbe).hideHelp()),
  }).helpCommand(false);
  leaf(models, take, {
    usage: "probe <model...>",
    summary: help.modelsProbe,
    lesson: modelHelp.modelsProbe,
    own: (command) =>
      command
        .option("-y, --yes", help.option.yes)
        .option("--max-cost <usd>", help.option.probeCost, "2")
        .option("--no-window", help.option.noWindow),
  });
  routerCommands(program, take);
  leaf(program, take, {
    usage: "login [provider]",
    summary: help.login,
    lesson: setUpHelp.login,
    own: (command) => command.option("--plain-file", help.option.plainFile),
  });
  leaf(program, take, { usage: "logout <provider>", summary: help.logout, lesson: setUpHelp.logout });
  leaf(program, take, { usage: "doctor", summary: help.doctor, lesson: setUpHelp.doctor });
  const config = group(program, "config", help.config, setUpHelp.config);
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
  leaf(config, take, {
    usage: "unset <key>",
    summary: help.configUnset,
    own: (command) => command.option("--project", help.option.project),
  });
  leaf(config, take, { usage: "path", summary: help.configPath });
  leaf(config, take, { usage: "schema", summary: help.configSchema });
  const trust = group(program, "trust", help.trust, setUpHelp.trust);
  leaf(trust, take, { usage: "show", summary: help.trustShow });
  leaf(trust, take, {
    usage: "accept",
    summary: help.trustAccept,
    own: (command) => command.option("-y, --yes", help.option.yes),
  });
  leaf(trust, take, { usage: "revoke", summary: help.trustRevoke });
  const hooks = group(program, "hooks", help.hooks, setUpHelp.hooks);
  leaf(hooks, take, { usage: "list", summary: help.hooksList });
  leaf(hooks, take, {
    usage: "test <event>",
    summary: help.hooksTest,
    own: (command) =>
      command.option("--tool <name>", help.option.hookTool).option("--input <json>", help.option.hookInput),
  });
}
