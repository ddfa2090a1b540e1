// Where definition files lie.
import path from "node:path";
import { agentFilesBelow, projectAgentFiles } from "../../io/config/agent-files.ts";
import type { AgentOrigin } from "../../protocol/agent.ts";
import type { Program } from "../program/program.ts";

export interface DefinitionPlace {
  place: string;
  origin: AgentOrigin;
  /** Of a project's: the digest of what a person trusts; absent where that is nothing. */
  trusted?: string;
}

export type Places = Pick<Program, "workspace" | "places" | "config">;

/** Later ones go before earlier ones. */
const personFolders = ({ places }: Places): string[] => [
  ...[".gemini/agents", ".config/opencode/agent", ".config/opencode/agents", ".claude/agents"].map((name) =>
    path.join(places.home, name),
  ),
  path.join(places.config, "agents"),
];

/** Of folders that mostly are not there. */
export const definitionPlaces = (program: Places): DefinitionPlace[] => [
  ...program
    .config()
    .plugins.flatMap(({ agents }) => agents.map((place): DefinitionPlace => ({ place, origin: "user" }))),
  ...personFolders(program).flatMap((folder) =>
    agentFilesBelow(folder).map((place) => ({ place, origin: "user" as const })),
  ),
  ...projectAgentFiles(program.workspace).map((place) => ({
    ...{ place, origin: "project" as const },
    ...trustedOf(program, place),
  })),
];

function trustedOf({ config, workspace }: Places, place: string): Pick<DefinitionPlace, "trusted"> {
  const known = config().trust.accepted.find(({ what }) => what === `agent ${path.relative(workspace, place)}`);
  return known && typeof known.value === "string" ? { trusted: known.value } : {};
}
