import { existsSync } from "node:fs";
import type { ModelRow } from "../../../protocol/models.ts";
import type { Check } from "../../../protocol/query.ts";
import { layersOf } from "../../session/layered.ts";
import { sandboxOf } from "../../program/machine.ts";
import { doctor } from "./doctor.ts";
import { packageRoot } from "../../../io/installation.ts";
import { keepLookedUp } from "../../../model/registry/findings.ts";
import { commandLineAgents } from "../../models/cards/command-line-agents.ts";
import { findingsFile, findingsOf } from "../../models/cards/findings.ts";
import { listModels } from "../../models/models.ts";
import { openMoney, spendFile } from "../../record/money.ts";
import { configuredPools, openPools } from "../../models/cards/pools.ts";
import type { Program } from "../../program/program.ts";
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
    hooks: async () => (await import("../../session/hook-trial.ts")).checkHooks(program),
  });
}
