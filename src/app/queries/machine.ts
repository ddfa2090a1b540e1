import type { Check, ModelRow } from "../../protocol/query.ts";
import { sandboxOf } from "../machine.ts";
import { doctor } from "../doctor.ts";
import { packageRoot } from "../../io/installation.ts";
import { listModels } from "../models.ts";
import type { Program } from "../program.ts";
import { verify } from "./audit.ts";

export const models = (program: Program): Promise<ModelRow[]> => listModels(program.config().settings, program.env);

export function checks(program: Program): Promise<Check[]> {
  return doctor({
    config: () => program.config(),
    places: program.places,
    project: program.project,
    installation: packageRoot(),
    node: process.versions.node,
    sandbox: () => sandboxOf(program),
    models: () => models(program),
    verifyLedger: () => verify(program, {}),
    hooks: async () => (await import("../hook-trial.ts")).checkHooks(program),
  });
}
