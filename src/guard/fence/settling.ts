// Takes what a contained run wrote out of its layer, each thing to where the sorting sends it.
import { isRepository } from "../command-line/context/repositories.ts";
import path from "node:path";
import type { Recorder, Wanted } from "../../io/changes/own-changes.ts";
import { dropLayer } from "../../io/layers/drop.ts";
import { within } from "../command-line/context/sensitive.ts";
import { applyChange } from "../../io/layers/apply.ts";
import { flushTogether } from "../../io/layers/flush.ts";
import { namesIn, stateOf, writtenBytes, writtenText } from "../../io/layers/look.ts";
import type { Layers } from "../../io/layers/layers.ts";
import type { Change, WriteReport } from "../../io/layers/spec.ts";
import type { FileChange } from "../../protocol/action.ts";
import { largestKept } from "../../protocol/kept.ts";
import { outputs } from "../rules/left-out.ts";
import { type Sorted, withMoves } from "./moves.ts";
import { type SortFacts, sortChange, type Verdict } from "./sorting.ts";

/** Something that only the person can let through; `why` is a clause. */
export interface Held {
  path: string;
  why: string;
  changes: FileChange[];
}

export interface Settled {
  report: WriteReport;
  held: Held[];
  /** Made by the run where nothing was before. */
  made: string[];
}

export interface SettlingParts {
  layers: Layers;
  /** Where the run wrote to: its layer over the workspace, and that over what it borrows. */
  uppers: readonly string[];
  /** Keeps what was there before. */
  changes?: Recorder | undefined;
  /** Asked before each thing: nothing more is to be written. */
  stopped?: () => boolean;
  /** The run was no declared check or build: what it leaves in the layer is nobody's declared output. */
  foreign: boolean;
  sort: Omit<SortFacts, "text">;
  /** What the run saw in the place of a masked file (absolute); undefined for all others. */
  shown(file: string): string | undefined;
}

/** Never rejects for what the run wrote: what cannot be applied is dropped, and told. */
export async function settle({ uppers, ...parts }: SettlingParts): Promise<Settled> {
  const report: WriteReport = { applied: [], kept: [], generated: [], dropped: [] };
  const settled: Settled = { report, held: [], made: [] };
  for (const upper of uppers) await settleOne({ ...parts, upper }, settled);
  // In a task a folder is named by what was dropped in it.
  if (parts.sort.task)
    report.dropped = report.dropped.filter(
      ({ path: at }) => !report.dropped.some((one) => one.path.startsWith(`${at}/`)),
    );
  return settled;
}

type OneLayer = Omit<SettlingParts, "uppers"> & { upper: string };

function verdictsOf({ layers, upper, sort, shown }: OneLayer) {
  const written = layers.written(upper);
  const of: SortFacts = { ...sort, text: (at) => writtenText(path.join(upper, at)) };
  const verdicts = withRepositories(written.changes, of.facts.workspace).map(({ change, shaped }) => ({
    change,
    verdict: shaped ? repository : sortChange(change, of),
  }));
  const folders = { root: of.facts.workspace, upper, shown, text: of.text };
  return { ...written, verdicts: sort.task ? verdicts : withMoves(verdicts, folders) };
}

async function settleOne(parts: OneLayer, settled: Settled): Promise<void> {
  const { layers, upper, foreign, sort } = parts;
  const { report, held } = settled;
  const root = sort.facts.workspace;
  const { verdicts, opaque, nameless, more } = verdictsOf(parts);
  const cleared = sort.declaredBuild ? clearedBefore(verdicts, parts) : [];
  verdicts.push(...cleared);
  const crowded = parts.changes ? crowdedPlaces(verdicts) : new Set<string>();
  parts.changes?.unkept([...crowded], "a command wrote too many files there for them to be kept");
  report.dropped.push(...nameless.map((at) => ({ path: at, why: "its name is no text" })));
  if (more) report.more = more;
  const lost = new Set<string>();
  const unflushed: string[] = [];
  for (const { change, verdict } of inOrder(verdicts)) {
    if (verdict.to === "nowhere" && change.kind === "folder") lost.add(change.path);
    if (verdict.to === "workspace" && parts.stopped?.())
      report.dropped.push({ path: change.path, why: "it was stopped before this was written" });
    else if (verdict.to === "workspace" && above(change.path).some((folder) => lost.has(folder)))
      report.dropped.push({ path: change.path, why: "the folder around it was not written" });
    else if (verdict.to === "nowhere") drop(change, { upper, why: verdict.why, report });
    else if (verdict.to === "question") held.push({ ...verdict, path: change.path });
    else if (verdict.to === "workspace") {
      const recorder = crowded.has(topOf(change)) ? undefined : parts.changes;
      const whole = verdict.whole ? sort.startedAt : undefined;
      const rights = sort.allowed.modes.some((place) => within(path.join(root, change.path), place));
      await apply(change, { root, upper, whole, rights, settled, recorder, unflushed });
    }
  }
  await flushTogether(root, unflushed);
  layers.uncover(cleared.map(({ change }) => change.path));
  // Last, as keeping moves whole folders: what belongs into the workspace was taken out before.
  for (const folder of opaque) keepAnew(folder, verdicts, { layers, upper, opaque, foreign });
  for (const { change, verdict } of verdicts) {
    if (verdict.to !== "layer") continue;
    // Nothing can be planted by a deletion that was named: the build makes such a folder anew.
    const cleans = change.kind === "removed" && sort.allowed.below && outputs.test(change.path);
    keep(change, { layers, upper, opaque, foreign: foreign && !cleans }, settled);
    if (verdict.generated && change.kind !== "folder") report.generated.push(change.path);
  }
}

/**
 * What the session deleted for its commands, and the build has made anew: its output takes the place of what is still in the
 * workspace.
 */
function clearedBefore(verdicts: readonly Sorted[], { layers, sort, upper }: OneLayer): Sorted[] {
  const made = verdicts.filter(({ change, verdict }) => change.kind !== "removed" && verdict.to === "workspace");
  const of: SortFacts = { ...sort, text: (at) => writtenText(path.join(upper, at)) };
  return layers
    .deleted()
    .filter(({ path: at }) => made.some(({ change }) => change.path === at || change.path.startsWith(`${at}/`)))
    .map((change) => ({ change, verdict: sortChange(change, of) }))
    .filter(({ verdict }) => verdict.to === "workspace");
}

const above = (at: string): string[] => {
  const parts = at.split("/");
  return parts.slice(1).map((_, count) => parts.slice(0, count + 1).join("/"));
};

/** It does not come along when the folder around it is kept. */
function drop({ path: at, kind }: Change, { upper, why, report }: { upper: string; why: string; report: WriteReport }) {
  report.dropped.push({ path: at, why });
  if (kind !== "removed") dropLayer(path.join(upper, at));
}

/** What a program that goes on has written so far, and would be kept, is seen by others as it is written. */
export function share({ uppers, ...parts }: SettlingParts): void {
  for (const upper of uppers) {
    for (const { change, verdict } of verdictsOf({ ...parts, upper }).verdicts)
      if (verdict.to === "layer" && change.kind === "file") parts.layers.share(upper, change.path);
  }
}

const repository: Verdict = { to: "nowhere", why: "it belongs to a git repository that the command made" };

/**
 * What git takes for a repository, whatever its name, with what stands there already: everything that a run wrote in
 * such a folder goes nowhere.
 */
function withRepositories(changes: readonly Change[], root: string): { change: Change; shaped: boolean }[] {
  const names = new Map<string, Set<string>>();
  for (const { path: at, kind } of changes) {
    if (kind === "removed") continue;
    const folder = path.posix.dirname(at);
    const known = names.get(folder) ?? new Set(namesIn(path.join(root, folder)).map((name) => name.toLowerCase()));
    names.set(folder, known.add(path.posix.basename(at).toLowerCase()));
  }
  const shaped = [...names].flatMap(([folder, inside]) => (isRepository(inside) ? [folder] : []));
  return changes.map((change) => ({
    change,
    shaped: shaped.some((folder) => folder === "." || change.path === folder || change.path.startsWith(`${folder}/`)),
  }));
}

/** Deletions first, as something else may stand in their place; then by time, so that newer files stay newer. */
function inOrder(sorted: readonly Sorted[]): Sorted[] {
  const rank = ({ change }: Sorted): number =>
    change.kind === "removed" ? 0 : change.kind === "folder" ? 1 : change.kind === "file" ? change.stats.mtimeMs : 2;
  return sorted.toSorted((a, b) => rank(a) - rank(b));
}

/** One command's changes below one place of the top: of more than these nothing is kept. */
const mostKept = 1_000;

const topOf = ({ path: at }: Change): string => at.split("/", 1)[0] ?? at;

function crowdedPlaces(verdicts: readonly Sorted[]): Set<string> {
  const counts = new Map<string, number>();
  for (const { change, verdict } of verdicts) {
    const files = change.kind === "removed" ? Math.max(1, change.files.length) : 1;
    if (verdict.to === "workspace") counts.set(topOf(change), (counts.get(topOf(change)) ?? 0) + files);
  }
  return new Set([...counts].flatMap(([top, count]) => (count > mostKept ? [top] : [])));
}

interface Target {
  recorder: Recorder | undefined;
  root: string;
  upper: string;
  /** When the run began, where all that lay there by then goes with it. */
  whole: number | undefined;
  /** The command was judged to change its rights. */
  rights: boolean;
  settled: Settled;
  /** New files of which no record is kept: they are flushed together, before the run is told to be over. */
  unflushed: string[];
}

async function apply(
  change: Change,
  { root, upper, whole, rights, settled, recorder, unflushed }: Target,
): Promise<void> {
  const { report, made } = settled;
  const flush = recorder !== undefined || change.kind !== "file" || change.before !== undefined;
  try {
    const work = () => applyChange(change, root, { upper, whole, rights, flush });
    const wanted = () => wantedOf(change, { root, upper });
    const left = await (recorder ? recorder.around(placesOf(change, root), work, wanted()) : work());
    report.dropped.push(...left.map((at) => ({ path: at, why: "somebody put it there meanwhile, so it stays" })));
    if (!flush) unflushed.push(change.path);
    if (change.kind !== "folder") report.applied.push(change.path);
    if (change.kind === "removed" && left.length === 0) (report.removed ??= []).push(change.path);
    const state = stateOf(change, upper);
    if (state !== undefined && (report.contents ??= []).length < mostNamed)
      report.contents.push({ path: change.path, state });
    if (!change.before && change.kind === "file") made.push(change.path);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    report.dropped.push({ path: change.path, why: error.message.replace(/\.$/, "") });
  }
}

const mostNamed = 200;

function placesOf(change: Change, root: string): string[] {
  const inside = change.kind === "removed" ? change.files : [];
  return [change.path, ...inside].map((each) => path.join(root, each));
}

/** What is recorded of it, should it be cut off. */
function wantedOf(change: Change, { root, upper }: { root: string; upper: string }): Wanted {
  const at = path.join(root, change.path);
  if (change.kind === "removed") return new Map(placesOf(change, root).map((each) => [each, { kind: "absent" }]));
  if (change.kind === "link") return new Map([[at, { kind: "link", target: change.target }]]);
  if (change.kind === "folder") return new Map([[at, { kind: "folder" }]]);
  const content = change.kind === "file" ? writtenBytes(path.join(upper, change.path), largestKept) : undefined;
  return new Map(content ? [[at, content]] : []);
}

interface Keeping {
  layers: Layers;
  upper: string;
  opaque: ReadonlySet<string>;
  foreign: boolean;
}

/** A folder that was made anew hides what is below it only as a whole. */
function keepAnew(folder: string, verdicts: readonly Sorted[], { layers, upper, ...how }: Keeping): void {
  const inside = verdicts.filter(({ change }) => change.path.startsWith(`${folder}/`));
  if (inside.length > 0 && inside.every(({ verdict }) => verdict.to === "layer")) layers.keep(upper, folder, how);
}

function keep(change: Change, { layers, upper, opaque, foreign }: Keeping, { report }: Settled): void {
  try {
    layers.keep(upper, change.path, { opaque, foreign });
    if (change.kind !== "folder") report.kept.push(change.path);
    if (change.kind === "removed" && change.files.length > 0) (report.hidden ??= []).push(change.path);
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    report.dropped.push({ path: change.path, why: "it could not be moved into the session's layer" });
  }
}
