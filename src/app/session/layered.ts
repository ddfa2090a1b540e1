// The copy-on-write layers of one session: opened when the first command runs on them, removed when the session closes.
import type { LayeredWorld } from "../../guard/fence/layered.ts";
import { gitProgram } from "../../io/git/git.ts";
import { dropLeftLayers, type LayersHere, openLayers } from "../../io/layers/layers.ts";
import type { SharedFolder } from "../../io/layers/spec.ts";
import { OwnFiles } from "../../io/layers/own-files.ts";
import type { Sandbox } from "../../io/sandbox/spec.ts";
import type { EnvelopeTerms } from "../../protocol/task.ts";
import type { Program } from "../program/program.ts";
import type { SessionTerms } from "../record/terms.ts";

export interface SessionLayered extends LayeredWorld {
  /** What commands have left beside the workspace is seen by none any more; with `foreign`, if any of them was unplanned. */
  forget(which?: "foreign"): void;
  close(): void;
}

/** Commands write to the folder itself. */
export const withoutLayers = ({ workspace }: Program): SessionLayered => ({
  layers: () => undefined,
  own: new OwnFiles(workspace),
  checkpoints: gitProgram() !== undefined,
  forget: () => undefined,
  close: () => undefined,
});

interface LayeredParts {
  /** What the frozen plan of a task allows now. */
  task: (() => EnvelopeTerms | undefined) | undefined;
  lent: readonly SharedFolder[] | undefined;
  terms: Pick<SessionTerms, "current">;
}

/** Tries them where nobody has on this boot. */
export const layersOf = (
  { workspace, project }: Pick<Program, "workspace" | "project">,
  sandbox: Pick<Sandbox, "name" | "detail">,
  lent: readonly SharedFolder[] = [],
): LayersHere =>
  sandbox.name === "bubblewrap"
    ? openLayers(project.layers, workspace, lent)
    : { why: `the sandbox has none (${sandbox.detail})` };

export function layeredFor(program: Program, sandbox: Sandbox, { task, lent, terms }: LayeredParts): SessionLayered {
  const { workspace, project } = program;
  const { containment } = program.config().settings.sandbox;
  // Neither the configuration nor a policy has turned containment off.
  const wanted = () => containment === "on" && terms.current.policy.allowContainment !== false;
  let opened: LayersHere | undefined;
  const open = (): LayersHere => {
    dropLeftLayers(project.layers);
    return layersOf(program, sandbox, lent);
  };
  return {
    layers() {
      if (!wanted()) return undefined;
      opened ??= open();
      return "layers" in opened ? opened.layers : undefined;
    },
    own: new OwnFiles(workspace),
    checkpoints: gitProgram() !== undefined,
    ...(task && { task }),
    forget(which) {
      if (opened && "layers" in opened && (which === undefined || opened.layers.foreign)) opened.layers.forget();
    },
    close: () => {
      if (opened && "layers" in opened) opened.layers.close();
    },
  };
}
