// Runs on copy-on-write layers: which ones, what they mount, and what becomes of what they wrote.
import path from "node:path";
import { IgnoreRules } from "../../io/files/ignored.ts";
import { excludedBy } from "../../io/files/excluded.ts";
import { ensureFile } from "../../io/layers/apply.ts";
import type { Recorder } from "../../io/changes/own-changes.ts";
import type { Lent, Layers } from "../../io/layers/layers.ts";
import { leadsInside, namesIn } from "../../io/layers/look.ts";
import type { OwnFiles } from "../../io/layers/own-files.ts";
import type { LayerSource, MaskedFile, RunLayer, WriteReport } from "../../io/layers/spec.ts";
import { describeRepository, repositories } from "../../io/sandbox/repositories.ts";
import type { FileChange } from "../../protocol/action.ts";
import type { Assessment, Effect } from "../../protocol/effect.ts";
import type { Facts } from "../ports.ts";
import { unknownKind } from "../rules/unknown-reasons.ts";
import { type Held, settle } from "./settling.ts";
import { type Allowed, leftOut } from "./sorting.ts";

export interface LayeredWorld {
  /** Undefined where containment is off. Opened at the first run; shared by all agents of the session. */
  layers(): Layers | undefined;
  own: OwnFiles;
  /** False: what is overwritten does not come back. */
  checkpoints: boolean;
  /** Inside of a task: the paths that its plan names, relative to the workspace. */
  planned?(): readonly string[] | undefined;
}

/** What a grant's run has left to do: what only the person can let through, and what now stands in the workspace. */
export interface RunOutcome {
  held: Held[];
  /** Absolute. */
  applied: string[];
}

interface Run {
  readOnly: boolean;
  masked: readonly MaskedFile[];
  lent: readonly Lent[];
}

/** Undefined: the run sees the workspace itself. What only reads does so, unless the layer holds something to be seen. */
export function layerSource(world: LayeredWorld | undefined, { readOnly, masked, lent }: Run): LayerSource | undefined {
  const layers = world?.layers();
  if (!layers || (readOnly && !layers.keeps)) return undefined;
  return layers.source(masked, { readOnly, lent });
}

/** For a program that stays: it writes to folders that ignore rules cover, and what it writes goes with it. */
export function besideSource(layers: Layers, workspace: string): ReturnType<Layers["beside"]> {
  const { ignored } = views(workspace);
  return layers.beside(namesIn(workspace).filter((name) => name !== ".git" && leftOut(name, true, ignored)));
}

/** Files that the gate judged to be written, as the log of a server: it writes these itself. */
export const openedFiles = (assessment: Assessment, workspace: string): string[] =>
  judgedPlaces(assessment, workspace).written.filter((file) => ensureFile(workspace, file));

interface Ended {
  layer: RunLayer;
  assessment: Assessment;
  facts: Facts;
  startedAt: number;
  /** What the run did not see as it is. */
  masked: readonly MaskedFile[];
  /** Keeps what was there before. */
  changes?: (() => Promise<Recorder>) | undefined;
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
  { layer, assessment, facts, startedAt, masked, changes }: Ended,
  outcome: RunOutcome,
): Promise<WriteReport | undefined> {
  const layers = world.layers();
  if (!layers) return undefined;
  const { workspace } = facts;
  const hidden = new Set(masked.map(({ path: file }) => file));
  const declaredBuild = assessment.tags.includes("declared-build") && assessment.risk === "L1";
  const { report, held, made } = await settle({
    layers,
    upper: layer.upper,
    changes: await changes?.(),
    foreign: !assessment.tags.includes("declared-check") && !declaredBuild,
    sort: {
      facts,
      startedAt,
      allowed: judgedPlaces(assessment, workspace),
      planned: world.planned?.(),
      declaredBuild: declaredBuild && !layers.foreign,
      checkpoints: world.checkpoints,
      ...views(workspace),
      masked: (file) => hidden.has(file),
      own: (at) => world.own.owns(path.join(workspace, at)),
      tracked: (at) => world.own.tracks(path.join(workspace, at)),
      leadsInside: (from, target) => leadsInside(workspace, from, target),
    },
  });
  // What is approved in the same breath may be older content under a new name.
  if (held.length === 0) for (const at of made) world.own.made(path.join(workspace, at));
  outcome.held.push(...held);
  outcome.applied.push(...report.applied.map((at) => path.join(workspace, at)));
  const wrote = report.applied.length + report.kept.length + report.dropped.length > 0 || report.more;
  return wrote ? report : undefined;
}

/** The whole workspace as a target says only that something in it is written. */
export function judgedPlaces({ effects, tags, reasons }: Assessment, workspace: string): Allowed {
  const places = (wanted: Effect["kind"]): string[] =>
    effects.flatMap(({ kind, target }) => (kind === wanted && target.startsWith(`${workspace}/`) ? [target] : []));
  const known = !tags.some((tag) => runsCode.has(tag)) && !reasons.some(({ code }) => unknownKind(code) === "code");
  return { deleted: places("delete"), written: places("write"), below: known };
}

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
