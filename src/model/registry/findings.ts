// What was found out about arms earlier: checked field by field, as the file is anybody's to edit.
import { type Findings, keepFindings, readFindings } from "../../io/store/findings.ts";
import type { Capabilities, Finding, ListedPrice } from "../contract/card.ts";

/** Undefined where nothing is known of the arm. */
export function findingOf(arm: string, findings: Findings): Finding | undefined {
  const found = Object.hasOwn(findings, arm) ? findings[arm] : undefined;
  if (typeof found !== "object" || found === null) return undefined;
  const { at, contextTokens, maxOutput, triedTokens, price, capabilities, probed } = found;
  if (typeof at !== "number") return undefined;
  return {
    at,
    ...(isTokens(contextTokens) && { contextTokens }),
    ...(isTokens(maxOutput) && { maxOutput }),
    ...(isTokens(triedTokens) && { triedTokens }),
    ...(isPrice(price) && { price }),
    ...(isCapabilities(capabilities) && { capabilities, ...(probed === true && { probed }) }),
  };
}

const isTokens = (value: unknown): value is number => typeof value === "number" && value > 0;
const isAmount = (value: unknown): boolean => typeof value === "number" && Number.isFinite(value) && value >= 0;

function isPrice(value: unknown): value is ListedPrice {
  if (typeof value !== "object" || value === null) return false;
  const { input, output, cacheRead = 0, cacheWrite = 0 } = value as Record<string, unknown>;
  return [input, output, cacheRead, cacheWrite].every(isAmount);
}

const isCapabilities = (value: unknown): value is Capabilities =>
  typeof value === "object" &&
  value !== null &&
  ["tools", "images", "reasoning"].every((name) => typeof (value as Record<string, unknown>)[name] === "boolean");

/** What was looked up, and not tried: what trying has shown stands. Written only where something is new. */
export function keepLookedUp(file: string, found: Readonly<Record<string, Finding>>): void {
  const before = readFindings(file);
  const fresh = Object.entries(found).flatMap(([arm, finding]): [string, Record<string, unknown>][] => {
    const earlier = findingOf(arm, before);
    const { capabilities, ...rest } = finding;
    const news = { ...rest, ...(capabilities && !earlier?.probed && { capabilities }) };
    return earlier && isSame(earlier, news) ? [] : [[arm, earlier?.probed ? { ...news, at: earlier.at } : news]];
  });
  if (fresh.length > 0) keepFindings(file, Object.fromEntries(fresh));
}

/** How long a list of prices is believed without a further look. */
const pricesAgeMs = 24 * 60 * 60_000;

function isSame(earlier: Finding, { at, ...news }: Finding): boolean {
  const old = at - earlier.at > pricesAgeMs && news.price !== undefined;
  const kept = earlier as unknown as Record<string, unknown>;
  return !old && Object.entries(news).every(([name, value]) => JSON.stringify(kept[name]) === JSON.stringify(value));
}
