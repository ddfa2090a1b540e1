// What a file or a folder holds, as one digest: what an approval of it is bound to.
import { lstatSync, readdirSync, readFileSync, readlinkSync, type Stats } from "node:fs";
import path from "node:path";
import { systemError, withFallback } from "../../base/fallback.ts";
import { sha256 } from "../../base/digest.ts";

/** Beyond these a folder's files, and beyond `fileBytes` a file, are known by size, times and inode instead. */
const most = { entries: 20_000, files: 1_500, bytes: 32 * 1024 * 1024, fileBytes: 32 * 1024 * 1024 };

export interface Contents {
  /** `sha256:` of the content, `tree:` of a folder, `stat:` of what is too large to read, `link:`, `missing` or `other`. */
  digest: string;
  /** Files: 1, 0 for what is missing, and all of a folder. */
  files: number;
}

interface Budget {
  entries: number;
  files: number;
  bytes: number;
}

/**
 * Follows no link. The same state gives the same digest; never throws for what the disk holds. `secret`: of content that may be
 * guessed from its digest, only size, times and inode count.
 */
export function contentsOf(real: string, secret = false): Contents {
  return look(real, secret ? { ...most, bytes: 0 } : { ...most });
}

function look(file: string, budget: Budget): Contents {
  const stats = statsOf(file);
  if (!stats) return { digest: "missing", files: 0 };
  if (stats.isSymbolicLink()) return { digest: `link:${attempt(() => readlinkSync(file)) ?? "?"}`, files: 1 };
  if (stats.isFile()) return { digest: fileDigest(file, stats, budget), files: 1 };
  return stats.isDirectory() ? tree(file, stats, budget) : { digest: "other", files: 1 };
}

function fileDigest(file: string, stats: Stats, budget: Budget): string {
  budget.files -= 1;
  const reads = budget.files >= 0 && stats.size <= Math.min(most.fileBytes, budget.bytes);
  if (!reads) return known(stats);
  budget.bytes -= stats.size;
  const content = attempt(() => readFileSync(file));
  return content === undefined ? known(stats) : `sha256:${sha256(content)}`;
}

const known = ({ size, mtimeMs, ctimeMs, ino, dev }: Stats): string =>
  `stat:${size}:${mtimeMs}:${ctimeMs}:${dev}:${ino}`;

function tree(folder: string, stats: Stats, budget: Budget): Contents {
  const names = attempt(() => readdirSync(folder))?.toSorted();
  if (!names) return { digest: known(stats), files: 0 };
  const lines: string[] = [];
  let files = 0;
  for (const name of names) {
    budget.entries -= 1;
    if (budget.entries < 0) {
      // The rest is bound by the folder's own times: names that come or go change them.
      lines.push(known(stats));
      break;
    }
    const inner = look(path.join(folder, name), budget);
    files += inner.files;
    lines.push(`${JSON.stringify(name)} ${inner.digest}`);
  }
  return { digest: `tree:${sha256(lines.join("\n"))}`, files };
}

/** Names in a folder; none when it cannot be looked into. */
export const namesIn = (folder: string): string[] => attempt(() => readdirSync(folder)) ?? [];

const statsOf = (file: string): Stats | undefined => attempt(() => lstatSync(file, { throwIfNoEntry: false }));

/** Undefined for what cannot be looked at, or is gone in between. */
const attempt = <T>(body: () => T): T | undefined => withFallback(undefined, systemError, () => body());
