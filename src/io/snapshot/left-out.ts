// Which paths a tree is silent about: a restore must not take their absence for a deletion.
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { hasCode, withFallback } from "../../base/fallback.ts";
import type { LeftOut } from "../../protocol/event.ts";
import { type RawPath, shown } from "./raw-path.ts";

/** Everything that was left out of any checkpoint with this tree. */
export const leftOutOf = (gitDir: string, tree: string): Set<RawPath> =>
  withFallback(
    new Set(),
    hasCode("ENOENT"),
    () => new Set(JSON.parse(readFileSync(fileOf(gitDir, tree), "utf8")) as RawPath[]),
  );

export function keepLeftOut(gitDir: string, tree: string, paths: Iterable<RawPath>): void {
  const known = leftOutOf(gitDir, tree);
  const before = known.size;
  for (const each of paths) known.add(each);
  if (known.size === before) return;
  const file = fileOf(gitDir, tree);
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, JSON.stringify([...known]), { flush: true });
  renameSync(draft, file);
}

const fileOf = (gitDir: string, tree: string): string => path.join(gitDir, "left-out", tree);

const mostTold = 200;

/** For people: many files are told by their topmost folder. */
export function told(leftOut: ReadonlyMap<RawPath, LeftOut["why"]>): LeftOut[] {
  const all = [...leftOut].map(([raw, why]) => ({ path: shown(raw), why }));
  if (all.length <= mostTold) return all.sort(byPath);
  const groups = new Map<string, LeftOut>();
  for (const each of all) {
    const end = each.path.indexOf("/");
    const group = { path: end < 0 ? each.path : each.path.slice(0, end + 1), why: each.why };
    groups.set(`${group.path}\0${group.why}`, group);
  }
  return [...groups.values()].sort(byPath);
}

const byPath = (left: LeftOut, right: LeftOut): number => (left.path < right.path ? -1 : 1);
