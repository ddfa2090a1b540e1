// A server's edits as changes that fettle's own writer makes: each is tried here first, so that what is shown and written
// is exactly what the server meant.
import { fileURLToPath } from "node:url";
import { editText } from "../../../base/edit-text.ts";
import type { FileChange, Replacement } from "../../../protocol/action.ts";
import { PluginProblem } from "../serving/spec.ts";
import { shownPath, textOfFile } from "./files.ts";
import type { Position, TextEdit, WorkspaceEdit } from "./spec.ts";

const most = { files: 200, context: 8 };

export function changesOf(edit: WorkspaceEdit | null, workspace: string): FileChange[] {
  const byFile = new Map<string, TextEdit[]>();
  const add = (uri: string, edits: readonly TextEdit[]) => byFile.set(uri, [...(byFile.get(uri) ?? []), ...edits]);
  for (const change of edit?.documentChanges ?? []) {
    if ("kind" in change) throw new PluginProblem("The language server would create, move or delete files for this.");
    add(change.textDocument.uri, change.edits);
  }
  if (!edit?.documentChanges) for (const [uri, edits] of Object.entries(edit?.changes ?? {})) add(uri, edits);
  if (byFile.size > most.files)
    throw new PluginProblem(`This would change ${byFile.size} files; ${most.files} at most.`);
  return [...byFile].flatMap(([uri, edits]): FileChange[] => {
    const path = shownPath(workspace, uri);
    if (path.startsWith("/") || path.includes(":"))
      throw new PluginProblem(`This would change ${path}, which lies outside the workspace.`);
    const before = textOfFile(fileURLToPath(uri));
    const after = applied(before, edits);
    return before === after ? [] : [changeOf(path, before, after)];
  });
}

/** Later places first, so that the earlier ones stay where they are. */
export function applied(text: string, edits: readonly TextEdit[]): string {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  const offset = ({ line, character }: Position) => Math.min((starts[line] ?? text.length) + character, text.length);
  const placed = edits.map(({ range, newText }) => ({ from: offset(range.start), to: offset(range.end), newText }));
  return placed
    .toSorted((left, right) => right.from - left.from)
    .reduce((made, { from, to, newText }) => made.slice(0, from) + newText + made.slice(to), text);
}

/** Whole lines with as much around them as makes each one's place certain; where that fails, the whole file. */
function changeOf(path: string, before: string, after: string): FileChange {
  const old = before.split("\n");
  const now = after.split("\n");
  if (old.length === now.length && !before.includes("\r")) {
    const lines = old.flatMap((line, at) => (line === now[at] ? [] : [at]));
    for (let context = 0; context <= most.context; context += 1) {
      const edits = hunks(old, now, lines, context);
      const made = edits.length === 0 ? undefined : editText(before, edits);
      if (made && !("problem" in made) && !made.left && made.text === after) return { op: "edit", path, edits };
    }
  }
  return { op: "write", path, content: after };
}

function hunks(
  old: readonly string[],
  now: readonly string[],
  lines: readonly number[],
  context: number,
): Replacement[] {
  const groups: { from: number; to: number }[] = [];
  for (const at of lines) {
    const last = groups.at(-1);
    if (last && at - context <= last.to + 1) last.to = Math.min(at + context, old.length - 1);
    else groups.push({ from: Math.max(0, at - context), to: Math.min(at + context, old.length - 1) });
  }
  return groups.map(({ from, to }) => ({
    old: old.slice(from, to + 1).join("\n"),
    new: now.slice(from, to + 1).join("\n"),
  }));
}
