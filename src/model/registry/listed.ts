// What a server's list says of one model, as a finding.
import type { Arm } from "../contract/arm.ts";
import { knownModel } from "../contract/known-models.ts";
import type { ModelInfo } from "../contract/provider.ts";
import type { Finding } from "../contract/card.ts";

export function listedFinding(model: string, offered: readonly ModelInfo[], at: number): Finding {
  const found = offered.find(({ id }) => id === model);
  const { contextWindow, maxOutput, price, capabilities } = found ?? {};
  return {
    at,
    ...(contextWindow !== undefined && { contextTokens: contextWindow }),
    ...(maxOutput !== undefined && { maxOutput }),
    ...(price && { price }),
    ...(capabilities && { capabilities }),
  };
}

/** How long nothing new is looked for in a list. */
const freshMs = 24 * 60 * 60_000;

/** Whether a look into the server's list could tell something that is not known: of servers that offer the models of many. */
export function worthLookingUp(arm: Arm, type: string, finding: Finding | undefined, now: number): boolean {
  if (!arm.provider.vendor.startsWith("chat:")) return false;
  const known = knownModel(arm.name) ?? knownModel(`${type}/${arm.model}`);
  const asks = !known || !arm.price || arm.price.from === "server";
  return asks && (finding === undefined || now - finding.at > freshMs);
}
