// What people ask about plugins: each part with what it says of itself, would start and reach.
import path from "node:path";
import { Fault } from "../../../base/fault.ts";
import { pluginDifference } from "../../../extensions/plugins/difference.ts";
import { readMarket } from "../../../extensions/plugins/market.ts";
import { type Plugin, partId } from "../../../io/config/plugins.ts";
import { Exit } from "../../../protocol/exit.ts";
import {
  type BuiltInPlugin,
  type BuiltInRow,
  builtInPlugins,
  type PluginLook,
  type PluginMarket,
  type PluginPart,
  type PluginRow,
} from "../../../protocol/plugin.ts";
import { fetchMarket, showPlugin } from "../../extensions/plugins/fetch.ts";
import type { Program } from "../../program/program.ts";
import { agentNotes, commandNotes, note, skillNotes } from "./trust.ts";

export const listPlugins = (program: Program): Promise<PluginRow[]> =>
  Promise.all(program.config().plugins.map((plugin) => rowOf(plugin, plugin.record.source)));

const switches: Readonly<Record<BuiltInPlugin, string>> = {
  code: "code.enabled",
  database: "database.files.NAME",
  postgres: "database.postgres.NAME.host",
  browser: "browser.enabled, browser.hosts",
  docs: "docs.enabled",
  images: "images.enabled",
  docker: "docker.enabled, docker.build",
};

/** What changes something has a second server (`database-write`, `docker-build`), whose tools count as the same plugin's. */
export function listBuiltIn(program: Program): BuiltInRow[] {
  const { servers } = program.config().mcp;
  return builtInPlugins.map((name) => {
    const own = servers.filter((each) => each.builtIn && (each.name === name || each.name.startsWith(`${name}-`)));
    const tools = own.reduce((sum, { builtIn }) => sum + (builtIn?.tools.length ?? 0), 0);
    return { name, on: own.length > 0, setting: switches[name], tools };
  });
}

export async function lookAt(program: Program, named: string): Promise<PluginLook> {
  const shown = await showPlugin(program, named);
  const row = await rowOf(shown, shown.source);
  const before = program.config().plugins.find(({ name }) => name === shown.name);
  if (!before) return row;
  const parts = new Set(row.parts.map(partId));
  const gone = before.parts.map(partId).filter((part) => !parts.has(part));
  const kept = new Set(before.record.granted);
  return {
    ...row,
    parts: row.parts.map((part) => ({ ...part, granted: kept.has(partId(part)) })),
    change: { digest: before.digest, lines: await pluginDifference(before.root, shown.root), gone },
  };
}

export async function market(program: Program, place: string): Promise<PluginMarket> {
  const { text, folder } = await fetchMarket(program, place);
  try {
    return readMarket(text, folder);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new Fault(
      "plugin.market",
      Exit.usage,
      `${place} is no list of plugins: ${error.message}.`,
      "See docs/guide/plugins.md.",
    );
  }
}

async function rowOf(plugin: Plugin, source: string): Promise<PluginRow> {
  const { name, version, description, digest, root, problem, notes } = plugin;
  return {
    ...{ name, description, source, digest, notes, place: root },
    ...(version !== undefined && { version }),
    ...(problem !== undefined && { problem }),
    parts: await Promise.all(plugin.parts.map((part) => shownPart(part, plugin))),
  };
}

/** Its files are read here, so that what is wrong with one of them is named with it. */
async function shownPart(part: PluginPart, { root }: Plugin): Promise<PluginPart> {
  if (part.place === undefined || part.problem !== undefined) return part;
  const full = path.join(root, part.place);
  const { notes, problem } = await readPart(part.kind, full);
  const shows = [...part.shows, ...notes.filter(({ kind, text }) => kind !== "warns" || text !== problem)];
  return { ...part, shows, ...(problem !== undefined && { problem }) };
}

async function readPart(kind: PluginPart["kind"], full: string) {
  if (kind === "skill") {
    const { readSkill } = await import("../../../extensions/skills/library.ts");
    const { problem } = await readSkill({ place: full, origin: "user" });
    return { notes: problem === undefined ? await skillNotes(full) : note("warns", problem), problem };
  }
  if (kind === "command") {
    const { readCommandFile } = await import("../../../extensions/commands/library.ts");
    const { problem } = await readCommandFile({ place: full, root: path.dirname(full), origin: "user" });
    return { notes: await commandNotes(full, path.dirname(full)), problem };
  }
  const { readDefinition } = await import("../../agents/library.ts");
  const { problem } = await readDefinition(full, "user");
  return { notes: await agentNotes(full), problem };
}
