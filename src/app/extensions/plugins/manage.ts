// What a person does with their plugins: add what they were shown, grant parts, take one out.
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { entryOf } from "../../../base/entry.ts";
import { Fault } from "../../../base/fault.ts";
import { type Plugin, partId, readPlugin } from "../../../io/config/plugins.ts";
import { dropOthers, dropPlugin, movePlugin } from "../../../io/plugins/folder.ts";
import { readRegular } from "../../../io/files/regular.ts";
import {
  type PluginRecord,
  pluginFolder,
  readPluginRecords,
  stagedFolder,
  writePluginRecord,
} from "../../../io/plugins/records.ts";
import { inTurn } from "../../../io/store/turn.ts";
import { Exit } from "../../../protocol/exit.ts";
import { personName } from "../../program/machine.ts";
import type { Program } from "../../program/program.ts";

const fault = (code: string, text: string, remedy: string): Fault =>
  new Fault(`plugin.${code}`, Exit.usage, text, remedy);

interface Shown {
  folder: string;
  folderName: string;
  source: string;
}

/** Exactly what was shown, by its digest. */
function shownBefore({ places }: Program, digest: string): Shown {
  const shown = stagedFolder(places);
  for (const name of existsSync(shown) ? readdirSync(shown) : []) {
    if (!name.endsWith(".json")) continue;
    const about = JSON.parse(readRegular(path.join(shown, name))) as {
      digest: string;
      folderName: string;
      source: string;
    };
    const folder = path.join(shown, name.slice(0, -".json".length));
    if (about.digest === digest && existsSync(folder)) return { ...about, folder };
  }
  throw fault(
    "unknown",
    "This is not what was shown, or it was shown long ago.",
    "Look again: fettle plugin add SOURCE",
  );
}

const read = (program: Program, folder: string, folderName: string): Plugin =>
  readPlugin(folder, {
    ...{ folderName, workspace: program.workspace, home: program.places.home },
    granted: () => false,
  });

/** `parts`: the ids of what is granted. `replaces`: the one of that name gives way, as its difference was shown. */
export function addPlugin(
  program: Program,
  { digest, parts, replaces }: { digest: string; parts: readonly string[]; replaces?: boolean | undefined },
): void {
  const { places } = program;
  const { folder, folderName, source } = shownBefore(program, digest);
  const plugin = read(program, folder, folderName);
  const { name } = plugin;
  if (plugin.problem !== undefined || plugin.digest !== digest)
    throw fault("changed", "What was shown has changed since.", "Look again: fettle plugin add SOURCE");
  const granted = checkedParts(plugin, parts);
  inTurn(path.join(places.state, "trust.db"), () => {
    const before = entryOf(readPluginRecords(places.state), name);
    if (before && !replaces)
      throw fault(
        "known",
        `There is a plugin ${name} already.`,
        `fettle plugin update ${name}, or fettle plugin remove ${name}`,
      );
    const place = pluginFolder(places, name, digest);
    movePlugin(folder, place, (there) => read(program, there, name).digest === digest);
    const { seal } = read(program, place, name);
    writePluginRecord(places.state, name, { source, digest, seal, granted, at: Date.now(), by: personName() });
    const kept = [path.basename(place), ...(before ? [path.basename(pluginFolder(places, name, before.digest))] : [])];
    // The version before stays for sessions that have begun with it.
    dropOthers(path.dirname(place), (each) => kept.includes(each));
  });
  dropOthers(stagedFolder(places), (each) => !each.startsWith(path.basename(folder)));
}

function checkedParts(plugin: Plugin, parts: readonly string[]): string[] {
  const known = new Set(plugin.parts.map(partId));
  const unknown = parts.find((part) => !known.has(part));
  if (unknown !== undefined)
    throw fault(
      "part",
      `The plugin ${plugin.name} has no part ${unknown}.`,
      `See its parts: fettle plugin show ${plugin.name}`,
    );
  return [...new Set(parts)].toSorted();
}

export function knownPlugin({ places }: Program, name: string): PluginRecord {
  const records = readPluginRecords(places.state);
  const record = entryOf(records, name);
  if (record) return record;
  const names = Object.keys(records).join(", ");
  throw fault(
    "none",
    `There is no plugin ${name}.`,
    names === "" ? "fettle plugin add --help shows how one is added." : `There are: ${names}.`,
  );
}

/** From now on exactly these parts are granted. */
export function trustPlugin(program: Program, { name, parts }: { name: string; parts: readonly string[] }): void {
  const { places } = program;
  const record = knownPlugin(program, name);
  const granted = checkedParts(read(program, pluginFolder(places, name, record.digest), name), parts);
  inTurn(path.join(places.state, "trust.db"), () => {
    writePluginRecord(places.state, name, { ...record, granted, at: Date.now(), by: personName() });
  });
}

export function removePlugin(program: Program, name: string): void {
  const { places } = program;
  const { digest } = knownPlugin(program, name);
  inTurn(path.join(places.state, "trust.db"), () => writePluginRecord(places.state, name, undefined));
  dropPlugin(path.dirname(pluginFolder(places, name, digest)));
}
