// Instruction files that people leave for agents: AGENTS.md (or CLAUDE.md), from the workspace root down to the working folder.
import path from "node:path";
import { readBytes } from "../io/files/bytes.ts";
import { FileProblem } from "../io/files/problem.ts";

const names = ["AGENTS.md", "CLAUDE.md"] as const;
/** fettle's own goes last, behind those of agents that it takes over from. */
const own = [".gdm/instructions.md", ".gnoma/GNOMA.md", ".fettle/instructions.md"];
const mostBytes = 32 * 1024;
/** Of all files together: they stand in every request. */
const mostOfAll = 64 * 1024;

/**
 * The first of the names in each folder, root first. Paths are workspace-relative. Where there is more than fits, what
 * lies nearest to the working folder goes first. `leftOut` is told of a folder in which there is something that cannot be
 * read, and nothing that can.
 */
export async function readInstructions(
  workspace: string,
  cwd: string,
  leftOut: (sentence: string) => void = () => undefined,
): Promise<{ path: string; text: string }[]> {
  const wanted = [
    ...own.toReversed().map((name) => ({ folder: workspace, candidates: [name] })),
    ...foldersBetween(workspace, cwd)
      .toReversed()
      .map((folder) => ({ folder, candidates: names })),
  ];
  const found: { path: string; text: string }[] = [];
  let room = mostOfAll;
  for (const { folder, candidates } of wanted) {
    const problems: string[] = [];
    const file = await firstText(folder, candidates, { limit: Math.min(mostBytes, room), problems });
    if (!file) {
      for (const problem of problems) leftOut(problem);
      continue;
    }
    room = Math.max(0, room - Buffer.byteLength(file.text));
    found.push({ path: path.relative(workspace, file.path), text: file.text });
  }
  const isOwn = ({ path: name }: { path: string }) => own.includes(name);
  return [...found.filter((file) => !isOwn(file)).toReversed(), ...found.filter(isOwn).toReversed()];
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
  { limit, problems }: { limit: number; problems: string[] },
): Promise<{ path: string; text: string } | undefined> {
  for (const name of candidates) {
    const file = path.join(folder, name);
    try {
      const read = await readBytes(file, { limit });
      const cut = read.size > limit ? `\n(cut: ${name} has ${read.size} bytes, and there is room for ${limit})` : "";
      return { path: file, text: new TextDecoder().decode(read.bytes) + cut };
    } catch (error) {
      const problem = problemWith(file, error);
      if (problem !== undefined) problems.push(problem);
    }
  }
  return undefined;
}

/** A link is not followed: what it leads to may be no instructions, but somebody's keys. */
function problemWith(file: string, error: unknown): string | undefined {
  const { code, message } = error instanceof FileProblem ? error : { code: "failed", message: String(error) };
  if (code === "missing") return undefined;
  return `Instructions are left out: ${code === "outside" ? `${file} is a link. Put a file in its place.` : message}`;
}
