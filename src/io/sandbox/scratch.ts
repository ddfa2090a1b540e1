// The session's private temporary folder at the place of /tmp: kept between its commands, and nothing of the machine's.
import { lstatSync, mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { below, real } from "./hidden.ts";

const place = "/tmp";

interface UserFolders {
  workspace: string;
  home: string;
}

/** Not where somebody works or lives in /tmp itself, or above it. */
export const hasPrivateTmp = ({ workspace, home }: UserFolders): boolean =>
  real(place) === place && ![workspace, home].some((folder) => below(folder, place));

/** The entry of /tmp that a path lies in or is; undefined for /tmp itself and what is elsewhere. */
const entryOf = (file: string): string | undefined =>
  file.startsWith(`${place}/`) ? file.split("/")[2] || undefined : undefined;

/** Entries of /tmp at which something of the machine is shown: a path in one of these means the machine's. */
export const entriesOf = (files: readonly string[]): Set<string> =>
  new Set(files.flatMap((file) => entryOf(file) ?? []));

/**
 * Where a sandbox mounts something below its /tmp: these entries are to be folders of their own, so that nothing which a
 * program has left there leads a mount elsewhere. While a sandbox runs, its kernel keeps them from being renamed.
 */
export function entriesFor(scratch: string, places: readonly string[]): string[] {
  const entries = [...entriesOf(places)];
  for (const entry of entries) {
    const file = path.join(scratch, entry);
    const stats = lstatSync(file, { throwIfNoEntry: false });
    if (stats && !stats.isDirectory()) rmSync(file, { force: true });
    if (!stats?.isDirectory()) mkdirSync(file, { recursive: true, mode: 0o755 });
  }
  return entries.map((entry) => path.join(place, entry));
}
