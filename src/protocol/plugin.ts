// Plugins: folders that bring skills, commands, agents, hooks and servers, each part granted by name.
import type { TrustNote } from "./trust.ts";

/** From `host` on: what its servers ask for besides their start. */
export const pluginPartKinds = [
  ...(["skill", "command", "agent", "hook", "mcp", "language-server"] as const),
  ...(["host", "env", "read", "write"] as const),
] as const;
export type PluginPartKind = (typeof pluginPartKinds)[number];

export interface PluginPart {
  kind: PluginPartKind;
  name: string;
  granted: boolean;
  /** Of a file: where it lies in the plugin. */
  place?: string;
  /** Why it cannot be used: one clause. */
  problem?: string;
  /** What it says of itself, would start and reach. */
  shows: TrustNote[];
}

export interface PluginRow {
  name: string;
  version?: string;
  description: string;
  /** As the person named it: a folder, an address or a package. */
  source: string;
  digest: string;
  /** Where its files lie. */
  place: string;
  /** Why nothing of it is used: one clause. */
  problem?: string;
  /** What of it has no effect here, a clause each. */
  notes: string[];
  parts: PluginPart[];
}

/** What was fetched to be looked at. Nothing of it is used before it is added by its digest. */
export interface PluginLook extends PluginRow {
  /** Beside the one of this name that is there. */
  change?: { digest: string; lines: string[]; gone: string[] };
}

/** A list of plugins as others publish it. */
export interface PluginMarket {
  name: string;
  plugins: { name: string; description: string; source?: string; problem?: string }[];
  /** What of it cannot be used, a sentence each. */
  problems: string[];
}

export const builtInPlugins = ["code", "database", "postgres", "browser", "docs", "images", "docker"] as const;
export type BuiltInPlugin = (typeof builtInPlugins)[number];

/** A plugin that fettle brings. */
export interface BuiltInRow {
  name: BuiltInPlugin;
  /** It is switched on, and everything is there that it needs. */
  on: boolean;
  /** What switches it on. */
  setting: string;
  /** Of those that are on. */
  tools: number;
}
