// Which strategies a turn may be carried out by: those that the settings allow, or the one that was named for a while.
import type { Settings } from "../../../../io/config/settings.ts";
import type { StrategyWish } from "../../../../model/router/strategies.ts";
import { editing } from "../../../../model/router/task-types.ts";
import { type ScoredStrategy, type StrategyName, strategyNames, type TaskType } from "../../../../protocol/router.ts";
import type { Program } from "../../../program/program.ts";

export const allowedBy = ({ router }: Pick<Settings, "router">): readonly StrategyName[] =>
  strategyNames.filter((name) => router.strategies.includes(name));

export type Offered = Pick<StrategyWish, "available" | "uncopyable">;

/** The workspace is looked at only where several could be set to work that changes files. */
export async function offered(program: Program, available: readonly StrategyName[], type: TaskType): Promise<Offered> {
  if (!available.includes("ensemble") || !editing.includes(type)) return { available };
  const uncopyable = await (await import("../../../session/copies/possible.ts")).uncopyable(program);
  return { available, ...(uncopyable !== undefined && { uncopyable }) };
}

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
