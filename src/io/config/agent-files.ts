// Files that define subagents. Those that a repository brings are words for a model that nobody here has written, so they
// need trust like its hooks.
import { type Dirent, existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { contentsOf } from "../facts/contents.ts";
import type { TrustItem } from "./trust.ts";

const mostFiles = 200;
const deepest = 3;

/** Later ones go before earlier ones. */
const projectFolders = [
  ".godmode/agents",
  ".agent/agents",
  ".gnoma/agents",
  ".gemini/agents",
  ".opencode/agent",
  ".opencode/agents",
  ".claude/agents",
  ".fettle/agents",
];

export const projectAgentFiles = (workspace: string): string[] =>
  projectFolders.flatMap((name) => agentFilesBelow(path.join(workspace, name)));

export const agentDigest = (file: string): string => contentsOf(file).digest;

/** Each file by its content: what is trusted is exactly what a subagent would be told. */
export const agentTrust = (workspace: string): TrustItem[] =>
  projectAgentFiles(workspace).map((file) => {
    const place = path.relative(workspace, file);
    return { what: `agent ${place}`, value: agentDigest(file), place };
  });

/** Sorted, so that of two of the same name in one folder always the same one is used. */
export function agentFilesBelow(folder: string, depth = 1): string[] {
  if (!existsSync(folder)) return [];
  const files = entriesOf(folder).flatMap((entry) => {
    const inside = path.join(folder, entry.name);
    if (entry.isDirectory()) return depth < deepest ? agentFilesBelow(inside, depth + 1) : [];
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
