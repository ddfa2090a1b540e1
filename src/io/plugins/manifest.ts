// What a plugin says of itself: fettle's own manifest, or that of Claude Code, which may be missing.
import { existsSync } from "node:fs";
import path from "node:path";
import { readRegular } from "../files/regular.ts";
import { placeWithin, pluginMost } from "./folder.ts";

export const partKeys = ["skills", "commands", "agents", "hooks", "mcpServers", "lspServers"] as const;
export type PartKey = (typeof partKeys)[number];

/** Where the parts of one kind are said to be: a place within the folder, or a value of the manifest itself. */
export type PartSource = { key: PartKey; shown: string } & (
  | { place: string }
  | { value: { [key: string]: unknown } }
  | { problem: string }
);

export interface PluginManifest {
  name: string;
  version?: string;
  description: string;
  sources: PartSource[];
  /** What of it has no effect here, a clause each. */
  notes: string[];
}

const manifestFiles = ["fettle-plugin.json", ".claude-plugin/plugin.json"];

/** What has no effect here says why. */
export const manifestFields: Readonly<Record<string, string | true>> = {
  $schema: true,
  name: true,
  displayName: true,
  version: true,
  description: true,
  author: true,
  homepage: true,
  repository: true,
  license: true,
  keywords: true,
  category: true,
  tags: true,
  skills: true,
  commands: true,
  agents: true,
  hooks: true,
  mcpServers: true,
  lspServers: "language servers come with fettle's own plugin language-servers",
  outputStyles: "answers keep fettle's own style",
  themes: "colours are the person's own setting",
  monitors: "nothing runs beside a session that no call has started",
  channels: "nobody but the person speaks to a session",
  userConfig: "what a plugin needs is a variable that is granted by name",
  settings: "settings are the person's own",
  dependencies: "each plugin is added by a person",
  experimental: "only what is finished is read",
  strict: "the manifest is read with what lies in the folder",
};

/** Where parts lie that the manifest does not name. */
const usual: Readonly<Record<PartKey, string>> = {
  skills: "skills",
  commands: "commands",
  agents: "agents",
  hooks: "hooks/hooks.json",
  mcpServers: ".mcp.json",
  lspServers: ".lsp.json",
};

/** Folders and files that have a meaning elsewhere and none here. */
const unused: Readonly<Record<string, string>> = {
  "output-styles": "answers keep fettle's own style",
  themes: "colours are the person's own setting",
  monitors: "nothing runs beside a session that no call has started",
  bin: "no folder is added to the path of commands",
  "settings.json": "settings are the person's own",
  "SKILL.md": "a skill lies in a folder of its own below skills",
};

const namePattern = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;

/** `root`: a real path whose files were looked through. `problem`: one clause about the whole plugin. */
export function readManifest(root: string, folderName: string): PluginManifest | { problem: string } {
  const read = manifestOf(root);
  if ("problem" in read) return read;
  const { fields, file } = read;
  const said = fields["name"] ?? (file === undefined ? folderName : undefined);
  if (said === undefined) return { problem: `has a ${file} without a name` };
  if (typeof said !== "string" || !namePattern.test(said))
    return {
      problem: `has the name ${JSON.stringify(said)?.slice(0, 70)}: lowercase letters, digits and hyphens make one`,
    };
  const { version, description } = fields;
  const sources = partKeys.flatMap((key) => sourcesOf(root, key, fields[key]));
  if (file === undefined && sources.length === 0) return { problem: "has neither a manifest nor a part" };
  return {
    ...{ name: said, sources, notes: [...fieldNotes(fields), ...unusedNotes(root)] },
    ...(typeof version === "string" && { version }),
    description: typeof description === "string" ? description.trim() : "",
  };
}

function manifestOf(
  root: string,
): { fields: { [key: string]: unknown }; file: string | undefined } | { problem: string } {
  const file = manifestFiles.find((name) => existsSync(path.join(root, name)));
  if (file === undefined) return { fields: {}, file };
  try {
    const fields: unknown = JSON.parse(readRegular(path.join(root, file), pluginMost.manifestBytes));
    return isTable(fields) ? { fields, file } : { problem: `has a ${file} that holds no object` };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (error instanceof SyntaxError) return { problem: `has a ${file} that is no JSON: ${firstLine(error)}` };
    return { problem: `has a ${file} that cannot be read: ${firstLine(error)}` };
  }
}

const firstLine = ({ message }: Error): string => (message.split("\n", 1)[0] ?? "").replace(/\.$/, "").slice(0, 200);

const isTable = (value: unknown): value is { [key: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** What is named comes beside what lies at the usual place. */
function sourcesOf(root: string, key: PartKey, said: unknown): PartSource[] {
  const first = usual[key];
  const found: PartSource[] = existsSync(path.join(root, first)) ? [source(root, key, first)] : [];
  if (said === undefined || said === null) return found;
  const named: PartSource[] = (Array.isArray(said) ? said : [said]).map((each): PartSource => {
    if (typeof each === "string") return source(root, key, each);
    const inline = key === "hooks" || key === "mcpServers" || key === "lspServers";
    if (inline && isTable(each)) return { key, shown: key, value: each };
    const wanted = inline ? "a path or an object" : "a path";
    return { key, shown: key, problem: `has ${typeName(each)} where ${wanted} is expected` };
  });
  const places = new Set(found.flatMap((each) => ("place" in each ? [each.place] : [])));
  return [...found, ...named.filter((each) => !("place" in each) || !places.has(each.place))];
}

const typeName = (value: unknown): string =>
  value === null
    ? "nothing"
    : Array.isArray(value)
      ? "a list"
      : typeof value === "object"
        ? "an object"
        : `a ${typeof value}`;

function source(root: string, key: PartKey, named: string): PartSource {
  const found = placeWithin(root, named);
  return { key, shown: named, ...found };
}

function fieldNotes(fields: { [key: string]: unknown }): string[] {
  const notes = Object.keys(fields).flatMap((key) => {
    const effect = Object.hasOwn(manifestFields, key) ? manifestFields[key] : "fettle does not know it";
    return effect === true ? [] : [`${key} has no effect: ${effect}`];
  });
  const texts = ["version", "description"].flatMap((key) =>
    fields[key] === undefined || typeof fields[key] === "string" ? [] : [`${key} has no effect: it is no text`],
  );
  const words = fields["keywords"];
  return [...notes, ...texts, ...(words === undefined || Array.isArray(words) ? [] : ["keywords is no list"])];
}

const unusedNotes = (root: string): string[] =>
  Object.entries(unused).flatMap(([name, why]) =>
    existsSync(path.join(root, name)) ? [`${name} has no effect: ${why}`] : [],
  );
