// The card of a model as people see it: configured, known, said by its server, tried out.
import type { Findings } from "../../../io/store/findings.ts";
import type { ModelSettings } from "../../../model/arms.ts";
import type { Endpoint } from "../../../model/contract/endpoints.ts";
import type { Pool } from "../../../model/pools/limits.ts";
import type { PoolView } from "../../../model/pools/view.ts";
import type { ModelInfo } from "../../../model/contract/provider.ts";
import type { ArmCard, Finding } from "../../../model/contract/card.ts";
import { cardOf } from "../../../model/registry/cards.ts";
import { listedFinding } from "../../../model/registry/listed.ts";
import { findingOf } from "../../../model/registry/findings.ts";
import { shownModel } from "../../../model/registry/ollama.ts";
import type { ModelCard } from "../../../protocol/models.ts";

const patienceMs = 2_000;

/** What is known besides, and who is told what is found out. */
export interface Registry {
  findings: Findings;
  pools: readonly Pool[];
  views(arm: string): PoolView[];
  keep(found: Record<string, Finding>): void;
}

/** What cards are made of. */
export interface Known {
  settings: ModelSettings;
  registry: Registry;
  found: Record<string, Finding>;
}

const sources = (endpoint: Endpoint, model: string, { settings, registry }: Pick<Known, "settings" | "registry">) => ({
  settings,
  pools: registry.pools,
  finding: findingOf(`${endpoint.name}/${model}`, registry.findings),
});

/** Of a model whose server does not answer. */
export const knownCard = (endpoint: Endpoint, model: string, around: Known): ModelCard =>
  shownCard(
    cardOf(endpoint, model, sources(endpoint, model, around)),
    around.registry.views(`${endpoint.name}/${model}`),
  );

/** Looks up what the server says of it, and remembers that. */
export async function cardFor(
  endpoint: Endpoint,
  model: string,
  around: Known & { offered: readonly ModelInfo[] },
): Promise<ModelCard> {
  const { registry, found, offered } = around;
  const name = `${endpoint.name}/${model}`;
  const before = findingOf(name, registry.findings);
  const told = await toldOf(endpoint, model, offered);
  const at = Date.now();
  if (Object.keys(told).length > 0) found[name] = { at, ...told };
  const finding: Finding = { ...before, at, ...told, ...(before?.probed && tried(before)) };
  return shownCard(cardOf(endpoint, model, { ...sources(endpoint, model, around), finding }), registry.views(name));
}

/** What trying has shown stands. */
const tried = ({ at, capabilities, probed }: Finding): Partial<Finding> => ({
  at,
  ...(capabilities && { capabilities }),
  ...(probed && { probed }),
});

type Told = Omit<Finding, "at" | "probed" | "triedTokens">;

async function toldOf(endpoint: Endpoint, model: string, offered: readonly ModelInfo[]): Promise<Told> {
  if (endpoint.type === "ollama") {
    // What it does not tell in time is looked up by the name.
    return shownModel(endpoint.baseUrl, model, AbortSignal.timeout(patienceMs)).catch(() => ({}));
  }
  const { at: _at, ...told } = listedFinding(model, offered, 0);
  return told;
}

export const shownCard = (card: ArmCard, views: readonly PoolView[]): ModelCard => ({
  kind: card.kind,
  capabilities: card.capabilities,
  probedAt: card.probedAt ?? null,
  contextTokens: card.contextTokens,
  maxOutput: card.maxOutput,
  efforts: [...card.efforts],
  price: card.price
    ? {
        input: card.price.input,
        output: card.price.output,
        cacheRead: card.price.cacheRead,
        cacheWrite: card.price.cacheWrite,
        ...(card.price.asOf !== undefined && { asOf: card.price.asOf }),
        ...(card.price.from && { from: card.price.from }),
      }
    : null,
  pools: views.map(({ name, from, free, scarcity, limits }) => ({
    ...{ name, from, free },
    scarcity: Number.isFinite(scarcity) ? scarcity : null,
    limits: limits.map(({ limit, free: left, resetAt }) => ({ limit, free: left, resetAt })),
  })),
});
