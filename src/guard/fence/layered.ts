// Runs on copy-on-write layers: which ones, what they mount, and what becomes of what they wrote.
import path from "node:path";
import { IgnoreRules } from "../../io/files/ignored.ts";
import { excludedBy } from "../../io/files/excluded.ts";
import { ensureFile } from "../../io/layers/apply.ts";
import type { Recorder } from "../../io/changes/own-changes.ts";
import type { Layers } from "../../io/layers/layers.ts";
import { leadsInside, namesIn } from "../../io/layers/look.ts";
import type { OwnFiles } from "../../io/layers/own-files.ts";
import type { LayerSource, MaskedFile, RunLayer, WriteReport } from "../../io/layers/spec.ts";
import type { SandboxSpec } from "../../io/sandbox/spec.ts";
import { describeRepository, repositories } from "../../io/git/repositories.ts";
import type { FileChange } from "../../protocol/action.ts";
import type { Assessment, Effect } from "../../protocol/effect.ts";
import type { EnvelopeTerms } from "../../protocol/task.ts";
import { onlyRemoves, removingParts } from "../containment/containment.ts";
import { within } from "../command-line/context/sensitive.ts";
import { GrantError } from "../contract/grant.ts";
import type { Facts } from "../contract/ports.ts";
import { unknownKind } from "../rules/unknown-reasons.ts";
import { type Held, settle, type SettlingParts, share } from "./settling.ts";
import { type Allowed, leftOut, type PlannedWrites } from "./sorting.ts";

export interface LayeredWorld {
  /** Undefined where containment is off. Opened at the first run; shared by all agents of the session. */
  layers(): Layers | undefined;
  own: OwnFiles;
  /** False: what is overwritten does not come back. */
  checkpoints: boolean;
  /** Inside of a task: what its plan allows now. */
  task?(): EnvelopeTerms | undefined;
}

/** What a grant's run has left to do: what only the person can let through, and what now stands in the workspace. */
export interface RunOutcome {
  held: Held[];
  /** Absolute. */
  applied: string[];
}

interface Run {
  readOnly: boolean;
  /** It runs on beside others. */
  stays?: boolean;
  masked: readonly MaskedFile[];
}

/** Undefined: the run sees the workspace itself. What only reads does so, unless the layer holds something to be seen. */
function layerSource(
  world: LayeredWorld | undefined,
  { readOnly, stays = false, masked }: Run,
): LayerSource | undefined {
  const layers = world?.layers();
  if (!world || !layers) return undefined;
  const task = world.task?.();
  // What has been planned since it was kept is in the worktree.
  if (task) {
    shareStaying(world, layers);
    layers.release(task.paths);
  }
  if (readOnly && !layers.keeps) return undefined;
  return layers.source(masked, { readOnly, stays });
}

/** What a file tool wrote is seen by commands, though one of them has deleted what stood there in its layer. */
export function showWritten(world: LayeredWorld, workspace: string, file: string): void {
  if (isIgnoreFile(file)) rewritten.add(world);
  if (within(file, workspace)) world.layers()?.uncover([path.relative(workspace, file)]);
}

const isIgnoreFile = (file: string): boolean => path.basename(file) === ".gitignore";

/** Sessions that wrote a file of ignore rules. */
const rewritten = new WeakSet<LayeredWorld>();

interface Layering extends Omit<Run, "stays"> {
  /** A host was granted. */
  networked: boolean;
  background: boolean;
  startedAt: number;
}

interface RunLayers {
  /** It may run on for long, so it sees the workspace itself, and only sees it. */
  stays: boolean;
  source?: LayerSource | undefined;
  shown: Pick<SandboxSpec, "layered" | "overlaid" | "openedFiles">;
}

/** On which layers a command runs. What writes to the workspace as it goes runs on none. */
export function layersOf(
  world: LayeredWorld | undefined,
  of: Pick<Ended, "assessment" | "facts" | "quiet">,
  how: Layering,
): RunLayers {
  const found = chosenLayers(world, of, how);
  const bare = !how.readOnly && !found.stays && !found.source;
  if (of.quiet && bare && removingParts(of.assessment).size > 0)
    throw new GrantError("What this command deletes can only be looked at on a layer, and there is none now.");
  return found;
}

function chosenLayers(
  world: LayeredWorld | undefined,
  { assessment, facts }: Pick<Ended, "assessment" | "facts">,
  { networked, background, startedAt, ...run }: Layering,
): RunLayers {
  const none = { stays: false, shown: {} };
  const task = world?.task?.();
  if (!world || (task ? installs(assessment, task) : networked)) return none;
  if (background && !task) {
    const layers = world.layers();
    if (!layers) return none;
    const source = besideSource(layers, facts.workspace);
    const opened = { openedFiles: openedFiles(assessment, facts.workspace) };
    return { stays: true, source, shown: { ...opened, ...(source && { overlaid: source.overlaid }) } };
  }
  const source = layerSource(world, { ...run, stays: background });
  if (!source) return none;
  const own = background ? remembered(source, { assessment, facts, startedAt, masked: run.masked }) : source;
  return { stays: false, source: own, shown: { layered: source.merged } };
}

/**
 * What a planned install brings is what later checks rest on, the verification among them: it works on the worktree itself,
 * as every install of a session does on the workspace. No other run of a task does.
 */
export const installs = ({ tags, command }: Assessment, task: EnvelopeTerms): boolean =>
  tags.includes("install") || (command !== undefined && command === task.install);

/** For a program that stays: it writes to folders that ignore rules cover, and what it writes goes with it. */
function besideSource(layers: Layers, workspace: string): ReturnType<Layers["beside"]> {
  const { ignored } = views(workspace);
  return layers.beside(namesIn(workspace).filter((name) => name !== ".git" && leftOut(name, true, ignored)));
}

/** Files that the gate judged to be written, as the log of a server: it writes these itself. */
const openedFiles = (assessment: Assessment, workspace: string): string[] =>
  judgedPlaces(assessment, workspace).written.filter((file) => ensureFile(workspace, file));

interface Ended {
  layer: RunLayer;
  assessment: Assessment;
  /** Nobody was asked, so what it takes away is nobody's wish yet. */
  quiet?: boolean | undefined;
  facts: Facts;
  startedAt: number;
  /** What the run did not see as it is. */
  masked: readonly MaskedFile[];
  /** Keeps what was there before. */
  changes?: (() => Promise<Recorder>) | undefined;
  /** The call's: who stops it stops what is still to be written. */
  signal?: AbortSignal;
}

/** One after another: what one run has applied, the next one finds, and whose doing a difference is stays known. */
const settling = new WeakMap<LayeredWorld, Promise<unknown>>();

/** Undefined when the run wrote nothing. */
export function settleRun(world: LayeredWorld, ended: Ended, outcome: RunOutcome): Promise<WriteReport | undefined> {
  const before = settling.get(world) ?? Promise.resolve();
  const work = () => settleAlone(world, ended, outcome);
  const mine = before.then(work, work);
  settling.set(world, mine);
  return mine;
}

async function settleAlone(
  world: LayeredWorld,
  { layer, assessment, quiet, facts, startedAt, masked, changes, signal }: Ended,
  outcome: RunOutcome,
): Promise<WriteReport | undefined> {
  const layers = world.layers();
  // What was kept has been forgotten since: nothing of what a program wrote before is seen by what runs now.
  if (!layers || !layer.current()) return undefined;
  const { workspace } = facts;
  const sorting = sortingOf(world, layers, { assessment, quiet, facts, startedAt, masked });
  const { report, held, made } = await settle({
    layers,
    uppers: uppersOf(layer),
    changes: await changes?.(),
    stopped: stoppedBy(signal),
    ...sorting,
  });
  // What is approved in the same breath may be older content under a new name.
  if (held.length === 0) for (const at of made) world.own.made(path.join(workspace, at));
  if (report.applied.some(isIgnoreFile)) rewritten.add(world);
  outcome.held.push(...held);
  outcome.applied.push(...report.applied.map((at) => path.join(workspace, at)));
  const wrote = report.applied.length + report.kept.length + report.dropped.length > 0 || report.more;
  return wrote ? report : undefined;
}

/** Of a run that was stopped itself, no more than these are written any more. */
const mostAfterStop = 200;

function stoppedBy(signal: AbortSignal | undefined): () => boolean {
  let left = signal?.aborted === true ? mostAfterStop : 0;
  return () => signal?.aborted === true && (left -= 1) < 0;
}

function uppersOf(layer: RunLayer): string[] {
  const lent = layer.lentUpper();
  return lent === undefined ? [layer.upper] : [layer.upper, lent];
}

function sortingOf(
  world: LayeredWorld,
  layers: Layers,
  { assessment, quiet = false, facts, startedAt, masked }: Omit<Ended, "layer">,
): Pick<SettlingParts, "sort" | "foreign" | "shown"> {
  const { workspace } = facts;
  const hidden = new Map(masked.map(({ path: file, shown = "" }) => [file, shown]));
  const task = plannedWrites(world.task?.(), assessment);
  const declaredBuild =
    assessment.tags.includes("declared-build") && (assessment.risk === "L1" || (quiet && onlyRemoves(assessment)));
  const declared = task ? task.ofPlan : declaredBuild || assessment.tags.includes("declared-check");
  const sort = {
    ...{ facts, startedAt, task },
    allowed: judgedPlaces(assessment, workspace, quiet ? removingParts(assessment) : none),
    declaredBuild: declaredBuild && !layers.foreign,
    checkpoints: world.checkpoints,
    ignoresChanged: rewritten.has(world),
    ...views(workspace),
    masked: (file: string) => hidden.has(file),
    borrowed: (at: string) => layers.borrowed(at),
    own: (at: string) => world.own.owns(path.join(workspace, at)),
    tracked: (at: string) => world.own.tracks(path.join(workspace, at)),
    leadsInside: (from: string, target: string) => leadsInside(workspace, from, target),
  };
  return { sort, foreign: !declared, shown: (file) => hidden.get(file) };
}

function plannedWrites(task: EnvelopeTerms | undefined, { command }: Assessment): PlannedWrites | undefined {
  if (!task) return undefined;
  const { locked = [], writes, strict } = task;
  const ofPlan = command !== undefined && [...task.commands, ...task.amended].includes(command);
  return { paths: task.paths.filter((file) => writes?.includes(file) !== false), locked, ofPlan, strict };
}

/** What programs of a task that stay have written so far is seen by a run that begins now. */
function shareStaying(world: LayeredWorld, layers: Layers): void {
  for (const layer of layers.staying) {
    const about = staying.get(layer);
    if (about && layer.current()) share({ layers, uppers: uppersOf(layer), ...sortingOf(world, layers, about) });
  }
}

/** How programs that stay were judged. */
const staying = new WeakMap<RunLayer, Omit<Ended, "layer">>();

/** A source that remembers how the program was judged that its layer is for. */
const remembered = (source: LayerSource, about: Omit<Ended, "layer">): LayerSource => ({
  ...source,
  open() {
    const layer = source.open();
    staying.set(layer, about);
    return layer;
  },
});

const none: ReadonlySet<string | undefined> = new Set();

/** The whole workspace as a target says only that something in it is written. `open`: parts that nobody has allowed. */
export function judgedPlaces(
  { effects, tags, reasons }: Assessment,
  workspace: string,
  open: ReadonlySet<string | undefined> = none,
): Allowed {
  const places = (wanted: Effect["kind"]): string[] =>
    effects.flatMap(({ kind, target, part }) =>
      kind === wanted && target.startsWith(`${workspace}/`) && !open.has(part) ? [target] : [],
    );
  const known = !tags.some((tag) => runsCode.has(tag)) && !reasons.some(({ code }) => unknownKind(code) === "code");
  const moded = new Set(reasons.flatMap(({ code, part }) => (modeCodes.has(code) ? [part] : [])));
  const modes = effects.flatMap(({ kind, target, part }) => (kind === "write" && moded.has(part) ? [target] : []));
  return { deleted: places("delete"), written: places("write"), modes, below: known };
}

const modeCodes: ReadonlySet<string> = new Set(["path.plain-mode", "path.mode"]);

/** Code of which nobody knows what it writes. */
const runsCode = new Set([
  ...["unknown-program", "unknown-option", "interpreter", "dynamic"],
  ...["declared-check", "declared-build", "install"],
]);

function views(workspace: string) {
  const rules = new IgnoreRules(workspace, "");
  const excluded = excludedBy(describeRepository(path.join(workspace, ".git"))?.folders ?? []);
  const nested = repositories(workspace)
    .map(({ entry }) => path.relative(workspace, path.dirname(entry)))
    .filter((folder) => folder !== "");
  return {
    ignored: (at: string, folder: boolean) => rules.covered(at, folder) || excluded(folder ? `${at}/` : at),
    nested: (at: string) => nested.some((folder) => at.startsWith(`${folder}/`)),
  };
}

/** What only the person could let through, as one change. */
export const heldChanges = (held: readonly Held[]): FileChange[] => held.flatMap(({ changes }) => changes);
