// All skills that there are, and the one that each name stands for.
import { realpathSync } from "node:fs";
import path from "node:path";
import { systemError, withFallback } from "../../base/fallback.ts";
import { extensionDigest } from "../../io/config/extension-files.ts";
import type { ExtensionOrigin, SkillFile } from "../../protocol/extension.ts";
import { splitFrontMatter } from "../markdown/front-matter.ts";
import { lookInto, skillMost, textIn } from "./folder.ts";
import { readHead } from "./format.ts";

export interface SkillPlace {
  place: string;
  origin: ExtensionOrigin;
  /** Of a repository's: the digest of what a person accepted; absent where that is nothing. */
  trusted?: string;
}

export interface Skill extends SkillFile {
  /** Real path. */
  folder: string;
  body: string;
  trusted?: string;
}

export interface SkillLibrary {
  files: SkillFile[];
  usable: ReadonlyMap<string, Skill>;
}

export const untrustedProblem = "is the repository's, and not trusted: fettle trust show";

/** Later ones go before earlier ones. */
export async function skillLibrary(places: readonly SkillPlace[]): Promise<SkillLibrary> {
  const read = await Promise.all(places.map(readSkill));
  const usable = new Map<string, Skill>();
  for (const skill of read) if (skill.problem === undefined) usable.set(skill.name, skill);
  const files = read.map(({ body: _body, folder: _folder, trusted: _trusted, ...file }) => {
    const shadowed = file.problem === undefined && usable.get(file.name)?.place !== file.place;
    return { ...file, ...(shadowed && { shadowed: true as const }) };
  });
  return { files, usable };
}

/** A repository's is used only as it was when a person accepted it. */
export async function readSkill({ place, origin, trusted }: SkillPlace): Promise<Skill> {
  const found = await readFolder(place, origin);
  if (origin === "user" || found.problem !== undefined) return found;
  if (trusted === undefined || trusted !== extensionDigest(place)) return { ...found, problem: untrustedProblem };
  return { ...found, trusted };
}

async function readFolder(place: string, origin: ExtensionOrigin): Promise<Skill> {
  const folder = withFallback(place, systemError, () => realpathSync(place));
  const nothing: Skill = {
    ...{ name: path.basename(place), origin, place, folder, description: "", notes: [], errors: [], body: "" },
    ...{ files: [], scripts: [], forModel: false, forPerson: false },
  };
  const broken = (problem: string): Skill => ({ ...nothing, problem, errors: [problem] });
  if (origin === "project" && folder !== place) return broken("is a link, which a repository's skill must not be");
  const upper = await textIn(folder, "SKILL.md", skillMost.skillBytes);
  const text = typeof upper === "object" && upper.problem === "has no SKILL.md" ? await lower(folder) : upper;
  if (typeof text === "object") return broken(text.problem);
  const headed = await splitFrontMatter(text);
  if ("problem" in headed) return broken(headed.problem);
  const { head, errors, notes, problem } = readHead(headed, path.basename(place));
  const inside = lookInto(folder);
  if ("problem" in inside) return { ...broken(inside.problem), ...head, errors: [...errors, inside.problem] };
  return {
    ...{ origin, place, folder, notes, errors, ...head, ...inside },
    body: headed.body,
    ...(problem !== undefined && { problem }),
  };
}

async function lower(folder: string): Promise<string | { problem: string }> {
  const text = await textIn(folder, "skill.md", skillMost.skillBytes);
  return typeof text === "object" && text.problem === "has no skill.md" ? { problem: "has no SKILL.md" } : text;
}
