// A real workspace whose commands run on real layers.
import { mkdirSync } from "node:fs";
import path from "node:path";
import { heldChanges } from "../../src/guard/fence/layered.ts";
import { type Layers, openLayers } from "../../src/io/layers/layers.ts";
import { OwnFiles } from "../../src/io/layers/own-files.ts";
import type { ProcessExit } from "../../src/io/process/spec.ts";
import type { EnvelopeTerms } from "../../src/protocol/task.ts";
import type { Assessment, Effect } from "../../src/protocol/effect.ts";
import { assessment, effect } from "./assessments.ts";
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
}

export interface LayeredTestWorld extends TestWorld {
  layers: Layers;
  ownFiles: OwnFiles;
  run(command: string, more?: RunMore): Promise<Ran>;
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
    const grant = opened.grant({ kind: "shell", command, background: false }, judged);
    const exit = await grant.process.run();
    const held = heldChanges(opened.fence.outcome(grant)?.held ?? []).map(({ op, path: at }) => `${op} ${at}`);
    return { ...exit, held };
  };
  return Object.assign(opened, { layers: made.layers, ownFiles: made.own, run });
}

export const dropped = (exit: ProcessExit) => (exit.written?.dropped ?? []).map(({ path: at }) => at).sort();
