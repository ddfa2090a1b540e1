// A real workspace whose commands run on real layers.
import { mkdirSync } from "node:fs";
import path from "node:path";
import { heldChanges } from "../../src/guard/fence/layered.ts";
import { type Layers, openLayers } from "../../src/io/layers/layers.ts";
import { OwnFiles } from "../../src/io/layers/own-files.ts";
import type { ProcessExit } from "../../src/io/process/spec.ts";
import type { EnvelopeTerms } from "../../src/protocol/task.ts";
import type { Assessment, Effect } from "../../src/protocol/effect.ts";
import { assess } from "../../src/guard/assess/assess.ts";
import { decide } from "../../src/guard/decide.ts";
import type { Grant } from "../../src/guard/contract/grant.ts";
import { assessment, context, effect } from "./assessments.ts";
import { openWorld, type TestWorld } from "./world.ts";

const taskTerms = (paths: readonly string[], more: Partial<EnvelopeTerms> = {}): EnvelopeTerms => ({
  ...{ digest: "d", strict: false, commands: ["planned"], amended: [], hosts: [], paths },
  ...more,
});

export interface Ran extends ProcessExit {
  held: string[];
}

export interface RunMore {
  /** The task's plan names it. */
  ofPlan?: boolean;
  effects?: Effect[];
  tags?: Assessment["tags"];
  reasons?: Assessment["reasons"];
  risk?: "L0" | "L1" | "L2";
  quiet?: boolean;
}

/** As the gate judges it in a session with layers. */
function judgedQuiet(world: TestWorld, command: string) {
  world.facts.refresh?.();
  const action = { kind: "shell" as const, command, background: false };
  const judged = assess(action, world.facts);
  return { action, judged, decision: decide(judged, context({ layers: true })) };
}

/** Nobody is asked, because it is contained. */
export const isQuiet = (world: TestWorld, command: string): boolean =>
  judgedQuiet(world, command).decision.quiet === true;

function quietGrant(world: TestWorld, command: string): Grant {
  const { action, judged, decision } = judgedQuiet(world, command);
  const call = { id: "c", tool: "t", action, origin: "model" as const };
  if (!decision.quiet) throw new Error(`${command} is not quiet: ${decision.text}`);
  return world.fence.grant({ call, assessment: judged, decision }, new AbortController().signal, world.facts);
}

export interface LayeredTestWorld extends TestWorld {
  layers: Layers;
  ownFiles: OwnFiles;
  run(command: string, more?: RunMore): Promise<Ran>;
  runQuiet(command: string): Promise<Ran>;
  /** From now on commands find none. */
  loseLayers(): void;
}

export function openLayered(
  more: {
    planned?: string[];
    terms?: Partial<EnvelopeTerms>;
    /** Names of folders of the workspace that are seen from `outside/NAME`. */
    lent?: string[];
    room?: boolean;
    checkpoints?: boolean;
    masked?: string[];
  } = {},
): LayeredTestWorld {
  const made: { layers?: Layers; own?: OwnFiles; masked?: () => { path: string }[] } = {};
  const opened = openWorld({
    layered: {
      layers: () => made.layers,
      get own() {
        if (!made.own) throw new Error("used before it was made");
        return made.own;
      },
      checkpoints: more.checkpoints ?? true,
      ...(more.planned && { task: () => taskTerms(more.planned ?? [], more.terms) }),
    },
    masked: () => made.masked?.() ?? [],
  });
  made.masked = () => (more.masked ?? [".env"]).map((name) => ({ path: path.join(opened.workspace, name) }));
  const lent = (more.lent ?? []).map((name) => ({
    from: path.join(opened.root, "outside", name),
    to: path.join(opened.workspace, name),
  }));
  for (const { from, to } of lent) for (const folder of [from, to]) mkdirSync(folder, { recursive: true });
  const found = openLayers(path.join(opened.root, "layers"), opened.workspace, lent);
  if (!("layers" in found)) throw new Error(found.why);
  made.layers = found.layers;
  made.own = new OwnFiles(opened.workspace);
  const run = async (command: string, of: RunMore = {}): Promise<Ran> => {
    const effects = [effect("execute", "x", { part: command }), ...(of.effects ?? [])];
    const judged = assessment(of.risk ?? "L1", effects, {
      tags: ["process", ...(of.tags ?? [])],
      reasons: of.reasons ?? [],
      ...(of.ofPlan && { command: "planned" }),
    });
    const call = {
      id: "c",
      tool: "t",
      action: { kind: "shell" as const, command, background: false },
      origin: "model" as const,
    };
    const decision = { quiet: of.quiet === true };
    return ran(opened.fence.grant({ call, assessment: judged, decision }, new AbortController().signal, opened.facts));
  };
  const ran = async (grant: Grant): Promise<Ran> => {
    const exit = await grant.process.run();
    const held = heldChanges(opened.fence.outcome(grant)?.held ?? []).map(({ op, path: at }) => `${op} ${at}`);
    return { ...exit, held };
  };
  const runQuiet = (command: string) => ran(quietGrant(opened, command));
  return Object.assign(opened, {
    ...{ layers: made.layers, ownFiles: made.own, run, runQuiet },
    loseLayers: () => void delete made.layers,
  });
}

export const dropped = (exit: ProcessExit) => (exit.written?.dropped ?? []).map(({ path: at }) => at).sort();
