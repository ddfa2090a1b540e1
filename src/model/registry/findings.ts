// What was found out about arms earlier: checked field by field, as the file is anybody's to edit.
import { type Findings, keepFindings, readFindings } from "../../io/store/findings.ts";
import type { Capabilities, Finding } from "./card.ts";

/** Undefined where nothing is known of the arm. */
export function findingOf(arm: string, findings: Findings): Finding | undefined {
  const found = findings[arm];
  if (typeof found !== "object" || found === null) return undefined;
  const { at, contextTokens, capabilities, probed } = found;
  if (typeof at !== "number") return undefined;
  return {
    at,
    ...(typeof contextTokens === "number" && contextTokens > 0 && { contextTokens }),
    ...(isCapabilities(capabilities) && { capabilities, ...(probed === true && { probed }) }),
  };
}

const isCapabilities = (value: unknown): value is Capabilities =>
  typeof value === "object" &&
  value !== null &&
  ["tools", "images", "reasoning"].every((name) => typeof (value as Record<string, unknown>)[name] === "boolean");

/** Looked up and not tried: what trying has shown stands. */
export function keepLookedUp(file: string, found: Readonly<Record<string, Finding>>): void {
  const before = readFindings(file);
  const fresh = Object.entries(found).flatMap(
    ([arm, { capabilities, ...rest }]): [string, Record<string, unknown>][] => {
      const earlier = findingOf(arm, before);
      if (earlier?.probed) return [[arm, { ...rest, at: earlier.at }]];
      const same = earlier && earlier.contextTokens === rest.contextTokens && same3(earlier.capabilities, capabilities);
      return same ? [] : [[arm, { ...rest, ...(capabilities && { capabilities }) }]];
    },
  );
  if (fresh.length > 0) keepFindings(file, Object.fromEntries(fresh));
}

const same3 = (left: Capabilities | undefined, right: Capabilities | undefined): boolean =>
  left?.tools === right?.tools && left?.images === right?.images && left?.reasoning === right?.reasoning;
