// Which strategies a turn may be carried out by: those that the settings allow, or the one that was named for a while.
import type { Settings } from "../../../io/config/settings.ts";
import { type ScoredStrategy, type StrategyName, strategyNames } from "../../../protocol/router.ts";

export const allowedBy = ({ router }: Pick<Settings, "router">): readonly StrategyName[] =>
  strategyNames.filter((name) => router.strategies.includes(name));

/** Why one arm does it alone although that was not wanted. */
export function aloneText(
  scored: readonly ScoredStrategy[],
  wanted: readonly StrategyName[],
  staffed: boolean,
): string {
  const why = scored.find(({ strategy }) => wanted.includes(strategy))?.excluded;
  const reason = staffed ? (why ?? "nothing else is allowed") : "subagents are turned off (agents.width)";
  return `${wanted.join(", ")} cannot be used for this, so one model does it alone: ${reason}.`;
}
