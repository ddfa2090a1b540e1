// The projects that a person wants watched: a list of folders. A damaged one is none.
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { withFallback } from "../../base/fallback.ts";
import { withLockFile } from "../files/lock-file.ts";

const times = { patienceMs: 5_000, staleMs: 10_000 };

export function watchedProjects(file: string): string[] {
  if (!existsSync(file)) return [];
  const isDamage = (error: unknown): error is SyntaxError => error instanceof SyntaxError;
  const list: unknown = withFallback([], isDamage, () => JSON.parse(readFileSync(file, "utf8")) as unknown);
  return Array.isArray(list) ? list.filter((each) => typeof each === "string") : [];
}

/** Whole or not at all, also when two change it at once. False: somebody else holds it. */
export async function changeProjects(file: string, change: (roots: Set<string>) => void): Promise<boolean> {
  const done = await withLockFile(`${file}.lock`, times, async () => {
    const roots = new Set(watchedProjects(file));
    change(roots);
    writeFileSync(`${file}.new`, `${JSON.stringify([...roots].toSorted(), null, 2)}\n`, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  });
  return done !== undefined;
}
