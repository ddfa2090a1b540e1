// The parts of a plugin: what its folder and its manifest bring, each of them usable or named with the reason.
import { realpathSync, statSync } from "node:fs";
import path from "node:path";
import { Fault } from "../../base/fault.ts";
import { shellWord } from "../../base/shell-word.ts";
import type { PluginPart, PluginPartKind } from "../../protocol/plugin.ts";
import type { McpServer } from "../mcp/spec.ts";
import { pluginFiles, pluginDigest } from "../plugins/folder.ts";
import { type PartSource, type PluginManifest, readManifest } from "../plugins/manifest.ts";
import { agentFilesBelow } from "./agent-files.ts";
import { type ExtensionPlace, placesBelow } from "./extension-files.ts";
import { readHookFile, readHooks } from "./hook-files.ts";
import { serversIn, type ServerList, readServerList } from "./mcp-files.ts";
import { type PluginServer, pluginServers } from "./plugin-servers.ts";
import type { HookSettings } from "./setting-kinds.ts";
import { isTable } from "./table.ts";

export interface Plugin {
  name: string;
  version?: string;
  description: string;
  /** Real path. */
  root: string;
  digest: string;
  seal: string;
  /** Why nothing of it is used: one clause. */
  problem?: string;
  notes: string[];
  parts: PluginPart[];
  /** What may be used: granted, and without a problem so far. */
  skills: ExtensionPlace[];
  commands: ExtensionPlace[];
  agents: string[];
  hooks: HookSettings[];
  servers: McpServer[];
}

export interface PluginContext {
  /** The part of its path that it is called by where no manifest names it. */
  folderName: string;
  /** Whether a person has granted a part: `skill pdf`, `host api.example.com`. */
  granted(part: string): boolean;
  /** Known already, from a folder with the same seal. */
  known?: { seal: string; digest: string };
  workspace: string;
  home: string;
}

export const partId = ({ kind, name }: Pick<PluginPart, "kind" | "name">): string => `${kind} ${name}`;

/** Reads nothing that lies outside of the folder. Never throws for what the folder holds. */
export function readPlugin(folder: string, context: PluginContext): Plugin {
  const root = realpathSync(folder);
  const nothing: Plugin = {
    ...{ name: context.folderName, description: "", root, digest: "", seal: "", notes: [], parts: [] },
    ...{ skills: [], commands: [], agents: [], hooks: [], servers: [] },
  };
  const files = pluginFiles(root);
  if ("problem" in files) return { ...nothing, problem: files.problem };
  const { seal } = files;
  const digest = context.known?.seal === seal ? context.known.digest : pluginDigest(root, files);
  const manifest = readManifest(root, context.folderName);
  if ("problem" in manifest) return { ...nothing, digest, seal, problem: manifest.problem };
  const { sources, ...head } = manifest;
  return new Parts({ ...nothing, ...head, digest, seal }, context).of(sources);
}

const fileKinds = { skills: "skill", commands: "command", agents: "agent" } as const;

class Parts {
  readonly #plugin: Plugin;
  readonly #context: PluginContext;
  readonly #taken = new Set<string>();

  constructor(plugin: Plugin, context: PluginContext) {
    this.#plugin = plugin;
    this.#context = context;
  }

  of(sources: PluginManifest["sources"]): Plugin {
    for (const source of sources) {
      if ("problem" in source) this.#named(source, source.problem);
      else if (source.key === "hooks") this.#hooks(source);
      else if (source.key === "mcpServers") this.#servers(source);
      else if (source.key === "lspServers") this.#languageServers(source);
      else this.#files(source);
    }
    return this.#plugin;
  }

  /** True: it may be used. */
  #add(kind: PluginPartKind, name: string, more: Omit<PluginPart, "kind" | "name" | "granted">): boolean {
    const id = partId({ kind, name });
    const twice = this.#taken.has(id) ? "is there twice: the first one is used" : undefined;
    const problem = more.problem ?? twice;
    const granted = this.#context.granted(id);
    this.#taken.add(id);
    this.#plugin.parts.push({ kind, name, granted, ...more, ...(problem !== undefined && { problem }) });
    return granted && problem === undefined;
  }

  /** A place of the manifest that leads to no part. */
  #named({ key, shown }: PartSource, problem: string): void {
    this.#add(kindOf[key], shown, { problem, shows: [] });
  }

  #files(source: PartSource): void {
    const { root, name: plugin } = this.#plugin;
    if (!("place" in source) || source.key === "hooks" || source.key === "mcpServers" || source.key === "lspServers")
      return this.#named(source, "is no path");
    const kind = fileKinds[source.key];
    const found = placesOf(kind, source.place);
    if (found.length === 0) return this.#named(source, `holds no ${kind} that can be read`);
    for (const each of found) {
      const name = kind === "command" ? commandName(each, plugin) : path.basename(each.place, ".md").toLowerCase();
      const lies = path.relative(root, each.place);
      if (!this.#add(kind, name, { shows: [], place: lies })) continue;
      if (kind === "skill") this.#plugin.skills.push(each);
      else if (kind === "command") this.#plugin.commands.push({ ...each, prefix: plugin });
      else this.#plugin.agents.push(each.place);
    }
  }

  #hooks(source: PartSource): void {
    const { name, root } = this.#plugin;
    const shown = `plugin ${name}: ${source.shown}`;
    const of = { agent: "claude", path: "", shown, origin: "user", plugin: { name, root } } as const;
    const read = attempt(() => {
      if ("place" in source) return readHookFile({ ...of, path: source.place });
      const value = "value" in source ? source.value : {};
      return readHooks(of, () => (isTable(value["hooks"]) ? value : { hooks: value }));
    });
    if (typeof read === "string") return this.#named(source, read);
    const left = read.notices.map((text) => text.replace(`${shown}: `, "").replace(/\.$/, ""));
    if (read.off || read.hooks.length + left.length === 0)
      return this.#named(source, read.off ? "switches its own hooks off" : "holds no hooks");
    for (const text of left) this.#plugin.notes.push(`${source.shown}: ${text}`);
    for (const hook of read.hooks) {
      hook.name = `${name}-${this.#count("hook") + 1}`;
      const runs = { kind: "runs" as const, text: shownPath(`${hook.command} (${hook.event})`, root) };
      if (this.#add("hook", hook.name, { shows: [runs] })) this.#plugin.hooks.push(hook);
    }
  }

  #count(kind: PluginPartKind): number {
    return this.#plugin.parts.filter((part) => part.kind === kind).length;
  }

  #servers(source: PartSource): void {
    const { root, name } = this.#plugin;
    const shown = `plugin ${name}`;
    const list = attempt((): ServerList | undefined => {
      if ("place" in source) return readServerList(source.place, shown);
      return "value" in source ? serversIn({ mcpServers: source.value }, shown) : undefined;
    });
    if (typeof list === "string") return this.#named(source, list);
    const left = (list?.problems ?? []).map((text) => text.replace(`${shown}: `, "").replace(/\.$/, ""));
    if (left.length + (list?.servers.length ?? 0) === 0)
      return this.#named(source, "names no server that is switched on");
    for (const problem of left) this.#plugin.notes.push(`${source.shown}: ${problem}`);
    const { workspace, home, granted } = this.#context;
    const found = pluginServers(list?.servers ?? [], { root, plugin: name, workspace, home, granted });
    for (const { server, listed, problem, needs, notes } of found) {
      this.#plugin.notes.push(...notes);
      const may = this.#add("mcp", listed.name, {
        shows: startOf(listed, root),
        ...(problem !== undefined && { problem }),
      });
      for (const need of needs) if (!this.#taken.has(partId(need))) this.#add(need.kind, need.name, { shows: [] });
      if (may && server) this.#plugin.servers.push(server);
    }
  }

  #languageServers(source: PartSource): void {
    const problem = "language servers are started by fettle's own plugin language-servers only";
    if ("value" in source)
      for (const name of Object.keys(source.value)) this.#add("language-server", name, { problem, shows: [] });
    else this.#named(source, problem);
  }
}

const kindOf = {
  ...fileKinds,
  hooks: "hook",
  mcpServers: "mcp",
  lspServers: "language-server",
} as const satisfies Record<PartSource["key"], PluginPartKind>;

function placesOf(kind: (typeof fileKinds)[keyof typeof fileKinds], place: string): ExtensionPlace[] {
  const isFile = statSync(place).isFile();
  const alone = [{ place, root: path.dirname(place) }];
  if (kind === "agent") {
    const files = isFile ? (place.endsWith(".md") ? [place] : []) : agentFilesBelow(place);
    return files.map((file) => ({ place: file, root: place }));
  }
  if (!isFile) return placesBelow(kind, place);
  return kind === "command" && /\.(md|toml)$/.test(place) ? alone : [];
}

/** As a person types it behind the slash: `plugin:git:commit`. */
const commandName = ({ place, root }: ExtensionPlace, plugin: string): string =>
  [
    plugin,
    ...path
      .relative(root, place)
      .replace(/\.(md|toml)$/, "")
      .split(path.sep),
  ]
    .join(":")
    .normalize("NFKC")
    .toLowerCase();

/** As the plugin's own files say it: where a copy of it lies tells a person nothing. */
const shownPath = (text: string, root: string): string => text.replaceAll(root, "${CLAUDE_PLUGIN_ROOT}");

const startOf = ({ command, url }: PluginServer["listed"], root: string): PluginPart["shows"] =>
  command
    ? [{ kind: "runs", text: shownPath(command.map(shellWord).join(" "), root) }]
    : [{ kind: "reaches", text: url ?? "" }];

/** A clause about what cannot be read. */
function attempt<T>(read: () => T): T | string {
  try {
    return read();
  } catch (error) {
    if (error instanceof Fault) return `cannot be read: ${error.message.replace(/^[^:]*: /, "").replace(/\.$/, "")}`;
    throw error;
  }
}
