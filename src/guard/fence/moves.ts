// What a run moved: something that was there before is gone, and the same content has appeared under another name. Where the
// one waits for an answer or stays as it is, so does the other.
import path from "node:path";
import { statsAt, writtenBytes } from "../../io/layers/look.ts";
import type { Change } from "../../io/layers/spec.ts";
import type { FileChange } from "../../protocol/action.ts";
import type { Verdict } from "./sorting.ts";

export interface Sorted {
  change: Change;
  verdict: Verdict;
}

type Placed = Sorted & { change: Change & { kind: "file" } };

interface Folders {
  root: string;
  upper: string;
  /** What commands saw in the place of a masked file (absolute); undefined for all others. */
  shown(file: string): string | undefined;
  text(at: string): string | undefined;
}

/** Larger files are compared by size and time alone. */
const largestCompared = 64 * 1024 * 1024;

/** The verdicts, in which a move is one thing: asked about as a move, or not done on either side. */
export function withMoves(sorted: readonly Sorted[], folders: Folders): Sorted[] {
  const staying = sorted.filter(({ change, verdict }) => change.kind === "removed" && verdict.to !== "workspace");
  const placed = sorted.filter((one): one is Placed => isPlaced(one));
  if (staying.length === 0 || placed.length === 0) return [...sorted];
  const targets = Map.groupBy(placed, ({ change }) => change.stats.size);
  const moved = new Map<Sorted, Sorted | undefined>();
  for (const one of staying) {
    const found = new Map<string, Placed>();
    for (const file of one.change.kind === "removed" ? one.change.files : []) {
      const target = targetOf(file, targets, folders);
      if (!target || moved.has(target)) continue;
      // Of what is ignored a copy may come; it takes no other file's place.
      if (one.verdict.to === "layer" && !target.change.before) continue;
      found.set(file, target);
      moved.set(target, stays(target, file));
    }
    if (found.size === 0 || one.verdict.to !== "question") continue;
    const asked = askedAbout(one, found, folders);
    moved.set(one, asked);
    if (asked.verdict.to === "question") for (const target of found.values()) moved.set(target, undefined);
  }
  return withoutEmptied(
    sorted.flatMap((one) => (moved.has(one) ? (moved.get(one) ?? []) : one)),
    [...moved.keys()].filter((one) => one.change.kind !== "removed"),
  );
}

const isPlaced = ({ change, verdict }: Sorted): boolean => verdict.to === "workspace" && change.kind === "file";

/** What has become of this file under another name. */
function targetOf(
  file: string,
  targets: ReadonlyMap<number, readonly Placed[]>,
  { root, upper, shown }: Folders,
): Placed | undefined {
  const source = path.join(root, file);
  const stats = statsAt(source);
  if (!stats?.isFile()) return undefined;
  const masked = shown(source);
  const size = masked === undefined ? stats.size : Buffer.byteLength(masked);
  // What moves keeps its time; of what is shown of a masked file, whole milliseconds.
  const apart = masked === undefined ? 0.001 : 1;
  return targets.get(size)?.find(({ change }) => {
    if (Math.abs(change.stats.mtimeMs - stats.mtimeMs) >= apart) return false;
    if (size > largestCompared) return true;
    const was = masked === undefined ? writtenBytes(source, largestCompared) : Buffer.from(masked);
    const is = writtenBytes(path.join(upper, change.path), largestCompared);
    return was !== undefined && is !== undefined && was.equals(is);
  });
}

const stays = ({ change }: Placed, file: string): Sorted => ({
  change,
  verdict: { to: "nowhere", why: `it is ${file}, which the command moved there, and which stays where it is` },
});

/** As one question. Where a move would replace something that could not be shown, neither side is done. */
function askedAbout({ change, verdict }: Sorted, found: ReadonlyMap<string, Placed>, { text }: Folders): Sorted {
  if (verdict.to !== "question" || change.kind !== "removed") return { change, verdict };
  const changes: FileChange[] = [];
  for (const each of verdict.changes) {
    const target = each.op === "delete" ? found.get(each.path)?.change : undefined;
    const content = target?.before ? text(target.path) : undefined;
    if (target?.before && content === undefined)
      return { change, verdict: { to: "nowhere", why: `it was moved over ${target.path}, which could not be shown` } };
    if (!target) changes.push(each);
    else if (content === undefined) changes.push({ op: "move", path: each.path, to: target.path, edits: [] });
    else changes.push({ op: "write", path: target.path, content }, each);
  }
  const [first] = found.values();
  const more = found.size > 1 ? `, and ${found.size - 1} more files` : "";
  return { change, verdict: { ...verdict, changes, why: `the command moved it to ${first?.change.path}${more}` } };
}

/** Folders that would hold nothing but what was not moved into them are not made either. */
function withoutEmptied(sorted: readonly Sorted[], taken: readonly Sorted[]): Sorted[] {
  const below = (folder: string, { change }: Sorted): boolean => change.path.startsWith(`${folder}/`);
  return sorted.filter(
    ({ change, verdict }) =>
      change.kind !== "folder" ||
      verdict.to !== "workspace" ||
      !taken.some((one) => below(change.path, one)) ||
      sorted.some((one) => isPlaced(one) && below(change.path, one)),
  );
}
