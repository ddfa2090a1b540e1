// From what is configured, known and found out about an arm to its card.
import type { Settings } from "../../io/config/settings.ts";
import type { Endpoint } from "../contract/endpoints.ts";
import { drawsFrom, type Pool } from "../pools/limits.ts";
import type { ArmCard, Finding } from "../contract/card.ts";
import { armFacts, capabilitiesOf } from "./facts.ts";

interface CardSources {
  settings: Pick<Settings, "prices">;
  pools: readonly Pool[];
  finding?: Finding | undefined;
}

export function cardOf(endpoint: Endpoint, model: string, { settings, pools, finding }: CardSources): ArmCard {
  const name = `${endpoint.name}/${model}`;
  return {
    ...armFacts(endpoint, model, settings, finding),
    provider: endpoint.name,
    kind: endpoint.near === "here" ? "local" : "api",
    capabilities: capabilitiesOf(endpoint, model, finding),
    pools: pools.filter((pool) => drawsFrom(pool, name)).map((pool) => pool.name),
    ...(finding?.probed && { probedAt: finding.at }),
  };
}
