// Which plugins the person has added: where each came from, the digest of what was shown, and what of it was granted.
import { existsSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Fault } from "../../base/fault.ts";
import { Exit } from "../../protocol/exit.ts";
import { readRegular } from "../files/regular.ts";
import { makePrivateFolder, type Places } from "../places/places.ts";

export interface PluginRecord {
  /** As the person named it: a folder, an address or a package. */
  source: string;
  digest: string;
  /** Of the installed folder, by which an unchanged one is known without reading it. */
  seal: string;
  /** `skill pdf`, `mcp notes`, `host api.example.com` */
  granted: string[];
  /** ms since 1970. */
  at: number;
  by: string;
}

export type PluginRecords = { [name: string]: PluginRecord };

/** Every version has a folder of its own, so that a session goes on with the one that it began with. */
export const pluginFolder = ({ data }: Pick<Places, "data">, name: string, digest: string): string =>
  path.join(data, "plugins", name, digest.slice(0, 16));

export const stagedFolder = ({ data }: Pick<Places, "data">): string => path.join(data, "plugins", ".shown");

const recordsFile = (state: string): string => path.join(state, "plugins.json");

/** Throws a Fault for a file that cannot be read: whoever added a plugin counts on it. */
export function readPluginRecords(state: string): PluginRecords {
  const file = recordsFile(state);
  if (!existsSync(file)) return {};
  try {
    const records: unknown = JSON.parse(readRegular(file));
    if (typeof records !== "object" || records === null || !Object.values(records).every(isRecord))
      throw new SyntaxError("it holds no records");
    return records as PluginRecords;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new Fault(
      "plugins.broken",
      Exit.usage,
      `${file} cannot be read: ${error.message.replace(/\.$/, "")}.`,
      `Move it aside, and add your plugins again: mv '${file}' '${file}.broken'`,
    );
  }
}

function isRecord(value: unknown): value is PluginRecord {
  const record = value as PluginRecord | null;
  return (
    typeof record === "object" &&
    record !== null &&
    [record.source, record.digest, record.seal].every((each) => typeof each === "string") &&
    Array.isArray(record.granted)
  );
}

/** Undefined takes it out. */
export function writePluginRecord(state: string, name: string, record: PluginRecord | undefined): void {
  const { [name]: _, ...others } = readPluginRecords(state);
  makePrivateFolder(state);
  const file = recordsFile(state);
  const draft = `${file}.${process.pid}`;
  const text = JSON.stringify(record === undefined ? others : { ...others, [name]: record }, null, 2);
  writeFileSync(draft, `${text}\n`, { mode: 0o600, flush: true });
  renameSync(draft, file);
}
