// The plugins that the person has added, each only as it was when they saw it.
import { existsSync } from "node:fs";
import type { Places } from "../places/places.ts";
import { type PluginRecord, pluginFolder, readPluginRecords } from "../plugins/records.ts";
import { type Plugin, readPlugin } from "./plugins.ts";

export interface InstalledPlugin extends Plugin {
  record: PluginRecord;
}

interface Of {
  workspace: string;
  places: Places;
}

/** Sorted by name. Throws a Fault where it is not known which there are. */
export function installedPlugins({ workspace, places }: Of): InstalledPlugin[] {
  const records = Object.entries(readPluginRecords(places.state));
  return records
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, record]): InstalledPlugin => {
      const folder = pluginFolder(places, name, record.digest);
      const { digest, seal } = record;
      const granted = new Set(record.granted);
      const broken = (problem: string): InstalledPlugin => ({
        ...unusable(name, folder),
        digest,
        seal,
        problem,
        record,
      });
      if (!existsSync(folder)) return broken("is not there any more");
      const plugin = readPlugin(folder, {
        ...{ folderName: name, workspace, home: places.home, known: { digest, seal } },
        granted: (part) => granted.has(part),
      });
      if (plugin.problem === undefined && plugin.digest !== digest) return broken("has changed since it was pinned");
      return { ...plugin, record };
    });
}

const unusable = (name: string, root: string): Omit<Plugin, "digest" | "seal"> => ({
  ...{
    name,
    root,
    description: "",
    notes: [],
    parts: [],
    skills: [],
    commands: [],
    agents: [],
    hooks: [],
    servers: [],
  },
});

/** A sentence each about those that are not used. */
export const pluginNotices = (plugins: readonly InstalledPlugin[]): string[] =>
  plugins.flatMap(({ name, problem }) =>
    problem === undefined
      ? []
      : [`The plugin ${name} is not used: it ${problem}. Take it out with fettle plugin remove ${name}, or update it.`],
  );
