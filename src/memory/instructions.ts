// Instruction files that people leave for agents: AGENTS.md (or CLAUDE.md), from the workspace root down to the working folder.
import path from "node:path";
import { readBytes } from "../io/files/bytes.ts";

const names = ["AGENTS.md", "CLAUDE.md"] as const;
const own = path.join(".fettle", "instructions.md");
const mostBytes = 32 * 1024;

/** The first of the names in each folder, root first; a file that cannot be read is left out. Paths are workspace-relative. */
export async function readInstructions(workspace: string, cwd: string): Promise<{ path: string; text: string }[]> {
  const found: { path: string; text: string }[] = [];
  for (const folder of foldersBetween(workspace, cwd)) {
    const text = await firstText(folder, names);
    if (text) found.push({ path: path.relative(workspace, text.path), text: text.text });
  }
  const extra = await firstText(workspace, [own]);
  if (extra) found.push({ path: own, text: extra.text });
  return found;
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
): Promise<{ path: string; text: string } | undefined> {
  for (const name of candidates) {
    const file = path.join(folder, name);
    const read = await readBytes(file, { limit: mostBytes }).catch(() => undefined);
    if (!read) continue;
    const cut = read.size > mostBytes ? `\n(cut: ${name} is longer than ${mostBytes} bytes)` : "";
    return { path: file, text: new TextDecoder().decode(read.bytes) + cut };
  }
  return undefined;
}
