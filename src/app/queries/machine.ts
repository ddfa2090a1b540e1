import { existsSync } from "node:fs";
import type { ModelRow } from "../../protocol/models.ts";
import type { Check } from "../../protocol/query.ts";
import { layersOf } from "../layered.ts";
import { sandboxOf } from "../machine.ts";
import { doctor } from "../doctor.ts";
import { packageRoot } from "../../io/installation.ts";
import { keepLookedUp } from "../../model/registry/findings.ts";
import { commandLineAgents } from "../command-line-agents.ts";
import { findingsFile, findingsOf } from "../findings.ts";
import { listModels } from "../models.ts";
import { openMoney, spendFile } from "../money.ts";
import { configuredPools, openPools } from "../pools.ts";
import type { Program } from "../program.ts";
import { verify } from "./audit.ts";

/** With what is found out remembered, and with the command-line agents of this machine. */
export async function models(program: Program): Promise<ModelRow[]> {
  const { settings } = program.config();
  const money = openMoney(program);
  try {
    const pools = openPools(program, money);
    const kept = existsSync(spendFile(program));
    if (kept) pools.recall();
    const rows = await listModels(settings, program.env, {
      findings: findingsOf(program),
      pools: configuredPools(program),
      views: (arm) => (kept || Object.keys(settings.pools).length > 0 ? pools.views(arm) : []),
      keep: (found) => {
        if (!program.incognito) keepLookedUp(findingsFile(program), found);
      },
    });
    return [...rows, ...commandLineAgents(program.env)];
  } finally {
    money.close();
  }
}

export function checks(program: Program): Promise<Check[]> {
  return doctor({
    config: () => program.config(),
    places: program.places,
    project: program.project,
    installation: packageRoot(),
    node: process.versions.node,
    sandbox: () => sandboxOf(program),
    layers: () => layersOf(program, sandboxOf(program)),
    models: () => models(program),
    verifyLedger: () => verify(program, {}),
    hooks: async () => (await import("../hook-trial.ts")).checkHooks(program),
  });
}
