// The grammar of `fettle agents`.
import type { Command } from "commander";
import { group, leaf, type Take, teach } from "./grammar.ts";
import { help } from "./help.ts";
import { modelHelp } from "./model-help.ts";

export function agentsCommands(program: Command, take: Take): void {
  const agents = group(program, "agents", help.agents);
  teach(agents, modelHelp.agents);
  leaf(agents, take, { usage: "list", summary: help.agentsList });
  leaf(agents, take, { usage: "show <name>", summary: help.agentsShow });
  leaf(agents, take, { usage: "check <file>", summary: help.agentsCheck });
  leaf(agents, take, { usage: "running", summary: help.agentsRunning });
  leaf(agents, take, { usage: "cancel <name>", summary: help.agentsCancel });
}
