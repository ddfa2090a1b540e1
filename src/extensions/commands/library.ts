// All custom commands that there are, and the one that each name stands for.
import { realpathSync } from "node:fs";
import path from "node:path";
import { systemError, withFallback } from "../../base/fallback.ts";
import { extensionDigest, tomlOf } from "../../io/config/extension-files.ts";
import { readBytes } from "../../io/files/bytes.ts";
import { FileProblem } from "../../io/files/problem.ts";
import type { CommandFile, ExtensionOrigin } from "../../protocol/extension.ts";
import { nameOf, readCommand } from "./format.ts";
import { outlineOf, type Template } from "./template.ts";

export interface CommandPlace {
  place: string;
  root: string;
  /** Goes before its name, with a colon. */
  prefix?: string;
  origin: ExtensionOrigin;
  /** Of a repository's: the digest of what a person accepted. */
  trusted?: string;
}

export interface CustomCommand extends CommandFile {
  template?: Template;
  trusted?: string;
}

export interface CommandLibrary {
  files: CommandFile[];
  usable: ReadonlyMap<string, CustomCommand & { template: Template }>;
}

const mostBytes = 64 * 1024;

/** Later ones go before earlier ones. */
export async function commandLibrary(places: readonly CommandPlace[]): Promise<CommandLibrary> {
  const read = await Promise.all(places.map(readPlace));
  const usable = new Map<string, CustomCommand & { template: Template }>();
  for (const command of read) {
    const { template } = command;
    if (command.problem === undefined && template) usable.set(command.name, { ...command, template });
  }
  const files = read.map(({ template: _template, trusted: _trusted, ...file }) => {
    const shadowed = file.problem === undefined && usable.get(file.name)?.place !== file.place;
    return { ...file, ...(shadowed && { shadowed: true as const }) };
  });
  return { files, usable };
}

/** A repository's is used only as it was when a person accepted it, and never read through a link. */
async function readPlace(at: CommandPlace): Promise<CustomCommand> {
  const { place, origin, trusted } = at;
  const { text: _text, ...found } = await readCommandFile(at);
  if (origin === "user" || found.problem !== undefined) return found;
  if (trusted === undefined || trusted !== extensionDigest(place))
    return { ...found, problem: "is the repository's, and not trusted: fettle trust show" };
  return { ...found, trusted };
}

/** One file, trusted or not. `text`: all of it, where it is text. */
export async function readCommandFile({
  place,
  root,
  prefix,
  origin,
}: CommandPlace): Promise<CustomCommand & { text?: string }> {
  const name = [...(prefix === undefined ? [] : [prefix]), nameOf(place, root)].join(":");
  const nothing = { name, origin, place, description: "", notes: [], runs: [], reads: [] };
  const real = origin === "user" ? withFallback(place, systemError, () => realpathSync(place)) : place;
  let text: string;
  try {
    const { bytes, size } = await readBytes(real, { limit: mostBytes });
    if (size > mostBytes) return { ...nothing, problem: "is larger than 64 kB" };
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return { ...nothing, problem: "is no UTF-8 text" };
    if (!(error instanceof FileProblem)) throw error;
    const linked = error.code === "outside" ? "is a link, which a repository's command must not be" : undefined;
    return { ...nothing, problem: linked ?? `cannot be read (${path.basename(place)}: ${error.code})` };
  }
  const read = await readCommand(text, { place, root }, tomlOf);
  if ("problem" in read) return { ...nothing, problem: read.problem, text };
  const { template, ...head } = read;
  return { ...nothing, ...head, name, ...outlineOf(template), template, text };
}
