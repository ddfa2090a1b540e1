// Instruction files that people leave for agents: AGENTS.md (or CLAUDE.md), from the workspace root down to the working folder.
import path from "node:path";
import { readBytes } from "../io/files/bytes.ts";

const names = ["AGENTS.md", "CLAUDE.md"] as const;
const own = path.join(".fettle", "instructions.md");
const mostBytes = 32 * 1024;
/** Of all files together: they stand in every request. */
const mostOfAll = 64 * 1024;

/**
 * The first of the names in each folder, root first; a file that cannot be read is left out. Paths are workspace-relative.
 * Where there is more than fits, what lies nearest to the working folder goes first.
 */
export async function readInstructions(workspace: string, cwd: string): Promise<{ path: string; text: string }[]> {
  const wanted = [
    { folder: workspace, candidates: [own] },
    ...foldersBetween(workspace, cwd)
      .toReversed()
      .map((folder) => ({ folder, candidates: names })),
  ];
  const found: { path: string; text: string }[] = [];
  let room = mostOfAll;
  for (const { folder, candidates } of wanted) {
    const file = await firstText(folder, candidates, Math.min(mostBytes, room));
    if (!file) continue;
    room = Math.max(0, room - Buffer.byteLength(file.text));
    found.push({ path: path.relative(workspace, file.path), text: file.text });
  }
  const extra = found.filter((file) => file.path === own);
  return [...found.filter((file) => file.path !== own).toReversed(), ...extra];
}

function foldersBetween(workspace: string, cwd: string): string[] {
  const inside = path.relative(workspace, cwd);
  if (!inside || inside.startsWith("..") || path.isAbsolute(inside)) return [workspace];
  const parts = inside.split(path.sep);
  return [workspace, ...parts.map((_, index) => path.join(workspace, ...parts.slice(0, index + 1)))];
}

async function firstText(
  folder: string,
  candidates: readonly string[],
  limit: number,
): Promise<{ path: string; text: string } | undefined> {
  for (const name of candidates) {
    const file = path.join(folder, name);
    const read = await readBytes(file, { limit }).catch(() => undefined);
    if (!read) continue;
    const cut = read.size > limit ? `\n(cut: ${name} has ${read.size} bytes, and there is room for ${limit})` : "";
    return { path: file, text: new TextDecoder().decode(read.bytes) + cut };
  }
  return undefined;
}
