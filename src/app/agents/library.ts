// Definitions of subagents: fettle's own, the person's and the project's, each of which goes before those of the same name.
import { realpathSync } from "node:fs";
import path from "node:path";
import { agentDigest } from "../../io/config/agent-files.ts";
import { readBytes } from "../../io/files/bytes.ts";
import type { AgentDefinition, AgentFile, AgentOrigin } from "../../protocol/agent.ts";
import { bundledAgents } from "./bundled.ts";
import { definitionOf } from "./definition.ts";
import { type DefinitionPlace, definitionPlaces, type Places } from "./folders.ts";
import { splitFrontMatter } from "../../extensions/markdown/front-matter.ts";

/** All files there are, and the definition that each name stands for. */
export interface AgentLibrary {
  files: AgentFile[];
  usable: ReadonlyMap<string, AgentFile & { definition: AgentDefinition }>;
}

const mostBytes = 64 * 1024;

export const readLibrary = (program: Places): Promise<AgentLibrary> => libraryOf(definitionPlaces(program));

/** A YAML parser is loaded for a head that needs one. */
export async function libraryOf(found: readonly DefinitionPlace[]): Promise<AgentLibrary> {
  const bundled = bundledAgents.map(({ name, text }) => fileOf({ name, origin: "bundled", place: "fettle" }, text));
  const others = found.map(readPlace);
  const files = await Promise.all([...bundled, ...others]);
  const usable = new Map<string, AgentFile & { definition: AgentDefinition }>();
  for (const file of files) {
    if (!file.definition) continue;
    // A name that is given anew keeps its place in the list.
    usable.set(file.name, { ...file, definition: file.definition });
  }
  return { files: files.map((file) => ({ ...file, ...shadowOf(file, usable) })), usable };
}

const shadowOf = (file: AgentFile, usable: AgentLibrary["usable"]): Partial<AgentFile> =>
  file.definition && usable.get(file.name)?.place !== file.place ? { shadowed: true } : {};

/** A project's is used only as it was when a person trusted it. */
async function readPlace({ place, origin, trusted }: DefinitionPlace): Promise<AgentFile> {
  const file = await readDefinition(place, origin);
  if (origin !== "project" || file.problem !== undefined || trusted === agentDigest(place)) return file;
  const { definition: _, ...others } = file;
  return { ...others, problem: "is the repository's, and not trusted: fettle trust show" };
}

/** One file, wherever it lies. A project's is never read through a link. */
export async function readDefinition(place: string, origin: AgentOrigin): Promise<AgentFile> {
  const at = { name: path.basename(place, ".md").toLowerCase(), origin, place };
  try {
    const text = await textOf(origin === "project" ? place : realpathSync(place));
    if (Buffer.byteLength(text) > mostBytes) return { ...at, notes: [], problem: "is larger than 64 kB" };
    return await fileOf(at, text);
  } catch (error) {
    return { ...at, notes: [], unread: true, problem: unreadable(error) };
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "does not exist",
  ENOTDIR: "does not exist",
  EACCES: "cannot be read: you may not",
};

function unreadable(error: unknown): string {
  const known = reasons[(error as NodeJS.ErrnoException).code ?? ""];
  return known ?? `cannot be read: ${(error instanceof Error ? error.message : String(error)).replace(/\.$/, "")}`;
}

async function textOf(real: string): Promise<string> {
  const { bytes } = await readBytes(real, { limit: mostBytes + 1 });
  return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
}

async function fileOf(at: Pick<AgentFile, "name" | "origin" | "place">, text: string): Promise<AgentFile> {
  const headed = await splitFrontMatter(text);
  if ("problem" in headed) return { ...at, notes: [], problem: headed.problem };
  const defined = definitionOf(headed, at.name);
  if ("problem" in defined) return { ...at, notes: [], problem: defined.problem };
  return { ...at, ...defined, name: defined.definition.name };
}
