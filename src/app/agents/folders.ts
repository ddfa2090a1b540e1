// Where definition files lie.
import { type Dirent, existsSync, readdirSync } from "node:fs";
import path from "node:path";
import type { AgentOrigin } from "../../protocol/agent.ts";
import type { Program } from "../program.ts";

const mostFiles = 200;
const deepest = 3;

export interface DefinitionPlace {
  place: string;
  origin: AgentOrigin;
}

export type Places = Pick<Program, "workspace" | "places">;

/** Later ones go before earlier ones. */
const foldersOf = ({ workspace, places }: Places): { folder: string; origin: AgentOrigin }[] => [
  ...[".gemini/agents", ".config/opencode/agent", ".config/opencode/agents", ".claude/agents"].map((name) => ({
    folder: path.join(places.home, name),
    origin: "user" as const,
  })),
  { folder: path.join(places.config, "agents"), origin: "user" },
  ...[".gemini/agents", ".opencode/agent", ".opencode/agents", ".claude/agents", ".fettle/agents"].map((name) => ({
    folder: path.join(workspace, name),
    origin: "project" as const,
  })),
];

/** Of folders that mostly are not there. */
export const definitionPlaces = (program: Places): DefinitionPlace[] =>
  foldersOf(program).flatMap(({ folder, origin }) => filesBelow(folder).map((place) => ({ place, origin })));

/** Sorted, so that of two of the same name in one folder always the same one is used. */
function filesBelow(folder: string, depth = 1): string[] {
  if (!existsSync(folder)) return [];
  const files = entriesOf(folder).flatMap((entry) => {
    const inside = path.join(folder, entry.name);
    if (entry.isDirectory()) return depth < deepest ? filesBelow(inside, depth + 1) : [];
    return entry.name.endsWith(".md") && entry.name !== "README.md" ? [inside] : [];
  });
  return files.slice(0, mostFiles);
}

/** None of what is no folder, or may not be looked into. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((left, right) => (left.name < right.name ? -1 : 1));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return [];
  }
}
