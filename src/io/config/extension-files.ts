// Skills and custom commands: where they lie, and what of a repository's needs trust.
import { type Dirent, existsSync, readdirSync, realpathSync, statSync } from "node:fs";
import path from "node:path";
import { parse } from "smol-toml";
import { systemError, withFallback } from "../../base/fallback.ts";
import { contentsOf } from "../facts/contents.ts";
import type { TrustItem } from "./trust.ts";

export type ExtensionKind = "skill" | "command";

export interface ExtensionPlace {
  /** A skill's folder, a command's file. */
  place: string;
  /** The folder of many that it lies in. */
  root: string;
  /** Goes before the name of a command, with a colon. */
  prefix?: string;
}

/** Later ones go before earlier ones. */
const below: Readonly<Record<ExtensionKind, readonly string[]>> = {
  skill: [
    ...[".agents/skills", ".gemini/skills", ".codex/skills", ".opencode/skill", ".opencode/skills"],
    ...[".claude/skills", ".fettle/skills"],
  ],
  command: [
    ...[".codex/prompts", ".gemini/commands", ".opencode/command", ".opencode/commands"],
    ...[".claude/commands", ".fettle/commands"],
  ],
};
const ofPerson: Readonly<Record<ExtensionKind, readonly string[]>> = {
  skill: [
    ...[".agents/skills", ".gemini/skills", ".codex/skills"],
    ...[".config/opencode/skill", ".config/opencode/skills", ".claude/skills"],
  ],
  command: [
    ...[".codex/prompts", ".gemini/commands", ".config/opencode/command", ".config/opencode/commands"],
    ".claude/commands",
  ],
};

const most = { places: 500, depth: 4 };

/** Of a repository's, nothing that only a link leads to. */
export const projectExtensions = (kind: ExtensionKind, workspace: string): ExtensionPlace[] =>
  below[kind].flatMap((name) => {
    const root = path.join(workspace, name);
    return withFallback(undefined, systemError, () => realpathSync(root)) === root ? placesBelow(kind, root) : [];
  });

/** `own`: fettle's folder for what the person configures. */
export const personExtensions = (kind: ExtensionKind, home: string, own: string): ExtensionPlace[] =>
  [...ofPerson[kind].map((name) => path.join(home, name)), path.join(own, `${kind}s`)].flatMap((root) =>
    placesBelow(kind, root),
  );

export const extensionDigest = (place: string): string => contentsOf(place).digest;

/** Each by its content, a skill by that of its whole folder. */
export const extensionTrust = (workspace: string): TrustItem[] =>
  (["skill", "command"] as const).flatMap((kind) =>
    projectExtensions(kind, workspace).map(({ place: full }) => {
      const place = path.relative(workspace, full);
      return { what: `${kind} ${place}`, value: extensionDigest(full), place };
    }),
  );

/** What is itself one is the only one. */
export function placesBelow(kind: ExtensionKind, root: string): ExtensionPlace[] {
  if (!existsSync(root)) return [];
  if (kind === "skill" && hasSkill(root)) return [{ place: root, root: path.dirname(root) }];
  const found = kind === "skill" ? skillFolders(root, 1) : commandFiles(root, 1);
  return found.slice(0, most.places).map((place) => ({ place, root }));
}

/** A folder is a skill when SKILL.md is in it; one without, and with none below it, is named as broken. */
function skillFolders(folder: string, depth: number): string[] {
  return entriesOf(folder).flatMap((entry) => {
    const inside = path.join(folder, entry.name);
    if (entry.name.startsWith(".") || !isFolder(entry, inside)) return [];
    if (hasSkill(inside) || depth >= most.depth) return [inside];
    const deeper = entry.isSymbolicLink() ? [] : skillFolders(inside, depth + 1);
    return deeper.length > 0 ? deeper : depth === 1 ? [inside] : [];
  });
}

const hasSkill = (folder: string): boolean =>
  ["SKILL.md", "skill.md"].some((name) => existsSync(path.join(folder, name)));

function commandFiles(folder: string, depth: number): string[] {
  return entriesOf(folder).flatMap((entry) => {
    const inside = path.join(folder, entry.name);
    if (entry.isDirectory()) return depth < most.depth ? commandFiles(inside, depth + 1) : [];
    return /\.(md|toml)$/.test(entry.name) && entry.name !== "README.md" ? [inside] : [];
  });
}

const isFolder = (entry: Dirent, inside: string): boolean =>
  entry.isDirectory() ||
  (entry.isSymbolicLink() && withFallback(false, systemError, () => statSync(inside).isDirectory()));

/** Sorted, so that of two of the same name always the same one is used. */
const entriesOf = (folder: string): Dirent[] =>
  withFallback([], systemError, () =>
    readdirSync(folder, { withFileTypes: true }).sort((left, right) => (left.name < right.name ? -1 : 1)),
  );

/** Throws for what is no TOML. */
export const tomlOf = (text: string): unknown => parse(text);
