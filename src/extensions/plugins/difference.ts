// What differs between two versions of a plugin, for a person to read before the newer one is used.
import path from "node:path";
import { lineDiff, wholeDiff } from "../../base/line-diff.ts";
import { sha256 } from "../../base/digest.ts";
import { readRegularBytes } from "../../io/files/regular.ts";
import { type PluginFiles, pluginFiles } from "../../io/plugins/folder.ts";

const most = { lines: 2_000, fileBytes: 256 * 1024 };

/** Both are folders whose files were looked through. Every file that differs is named, however long its lines are. */
export async function pluginDifference(before: string, after: string): Promise<string[]> {
  const [old, now] = [filesOf(before), filesOf(after)];
  const names = [...new Set([...old.keys(), ...now.keys()])].toSorted();
  const lines: string[] = [];
  for (const name of names) {
    const [left, right] = [old.get(name), now.get(name)];
    if (left && right && same(left, right)) continue;
    lines.push(`${left ? (right ? "changed" : "removed") : "added"}: ${name}`);
    const patch = await patchOf(left?.full, right?.full);
    const room = most.lines - lines.length;
    lines.push(...patch.slice(0, Math.max(0, room)));
    if (patch.length > room) lines.push(`(${patch.length - Math.max(0, room)} more lines are not shown)`);
  }
  return lines;
}

interface Found {
  full: string;
  stats: PluginFiles["files"][number]["stats"];
}

function filesOf(root: string): Map<string, Found> {
  const found = pluginFiles(root);
  if ("problem" in found) return new Map();
  return new Map(found.files.map(({ path: name, stats }) => [name, { full: path.join(root, name), stats }]));
}

function same(left: Found, right: Found): boolean {
  if (left.stats.size !== right.stats.size || (left.stats.mode & 0o111) !== (right.stats.mode & 0o111)) return false;
  return sha256(readRegularBytes(left.full)) === sha256(readRegularBytes(right.full));
}

async function patchOf(before: string | undefined, after: string | undefined): Promise<string[]> {
  const [left, right] = [textOf(before), textOf(after)];
  if (left === undefined || right === undefined) return ["  (no text, or too long to show)"];
  const { patch } = before === undefined || after === undefined ? wholeDiff(left, right) : await lineDiff(left, right);
  return patch === "" ? [] : patch.trimEnd().split("\n");
}

function textOf(file: string | undefined): string | undefined {
  if (file === undefined) return "";
  const bytes = readRegularBytes(file);
  if (bytes.length > most.fileBytes || bytes.includes(0)) return undefined;
  return bytes.toString("utf8");
}
