// A call as editors show it: its kind, where it reaches, and its changes as diffs.
import path from "node:path";
import type { ToolCallContent, ToolCallLocation, ToolKind } from "@agentclientprotocol/sdk";
import { entryOf } from "../../base/entry.ts";
import type { Action } from "../../protocol/action.ts";
import type { Diff, FileDiff } from "../../protocol/result.ts";

/** Where paths of actions and of diffs begin. */
export interface Places {
  cwd: string;
  workspace: string;
}

const kinds: Record<Exclude<Action["kind"], "change" | "none">, ToolKind> = {
  read: "read",
  search: "search",
  shell: "execute",
  program: "execute",
  job: "execute",
  fetch: "fetch",
  forge: "fetch",
  git: "execute",
  restore: "edit",
  spill: "read",
  task: "think",
  agent: "other",
  "cli-agent": "other",
  mcp: "other",
};

/** Before a call is parsed, and for what touches nothing. */
const kindsByTool: Readonly<Record<string, ToolKind>> = {
  read: "read",
  list: "search",
  glob: "search",
  grep: "search",
  recall: "search",
  write: "edit",
  edit: "edit",
  apply_patch: "edit",
  shell: "execute",
  git: "execute",
  job: "execute",
  fetch: "fetch",
  todo: "think",
};

export function kindOf(action: Action | undefined, tool: string): ToolKind {
  if (action === undefined || action.kind === "none") return entryOf(kindsByTool, tool) ?? "other";
  if (action.kind !== "change") return kinds[action.kind];
  const all = (op: string) => action.changes.every((change) => change.op === op);
  return all("delete") ? "delete" : all("move") ? "move" : "edit";
}

export function locationsOf(action: Action | undefined, { cwd }: Places): ToolCallLocation[] {
  const at = (file: string): ToolCallLocation => ({ path: path.resolve(cwd, file) });
  if (action?.kind === "read" || action?.kind === "search") return [at(action.path)];
  if (action?.kind !== "change") return [];
  return action.changes.map((change) => at(change.op === "move" ? change.to : change.path));
}

/** One for each hunk: the editor shows what changed, not the whole of a long file. */
export function diffContents(diff: Diff | undefined, { workspace }: Places): ToolCallContent[] {
  return (diff?.files ?? []).flatMap((file) =>
    hunksOf(file).map(
      (hunk): ToolCallContent => ({
        type: "diff",
        path: path.resolve(workspace, file.path),
        oldText: file.change === "created" ? null : hunk.before,
        newText: hunk.after,
      }),
    ),
  );
}

export const diffLocations = (diff: Diff | undefined, { workspace }: Places): ToolCallLocation[] =>
  (diff?.files ?? []).map((file) => {
    const line = Number(/^@@ -\d+(?:,\d+)? \+(\d+)/m.exec(file.patch)?.[1] ?? 0);
    return { path: path.resolve(workspace, file.path), ...(line > 0 && { line }) };
  });

interface Hunk {
  before: string;
  after: string;
}

function hunksOf({ patch }: FileDiff): Hunk[] {
  const hunks: Hunk[] = [];
  let last = "";
  for (const line of patch.replace(/\n$/, "").split("\n")) {
    if (line.startsWith("@@")) hunks.push({ before: "", after: "" });
    const hunk = hunks.at(-1);
    if (!hunk || line.startsWith("@@")) continue;
    if (line.startsWith("\\")) {
      // The line before it has no end of line.
      if (last !== "+") hunk.before = hunk.before.slice(0, -1);
      if (last !== "-") hunk.after = hunk.after.slice(0, -1);
      continue;
    }
    last = line.charAt(0);
    if (last !== "+") hunk.before += `${line.slice(1)}\n`;
    if (last !== "-") hunk.after += `${line.slice(1)}\n`;
  }
  return hunks;
}

/** In a fence that nothing in it can close. */
export function fenced(text: string, language = ""): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

export const textContent = (text: string): ToolCallContent => ({ type: "content", content: { type: "text", text } });
