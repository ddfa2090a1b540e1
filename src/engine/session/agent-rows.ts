// What a session's state knows of its subagents: each of them, and those that were started together.
import type { AgentRow } from "../../protocol/agent.ts";
import type { FactOf } from "../../protocol/event.ts";
import { addCost, addUsage, noUsage } from "../../protocol/usage.ts";

/** A subagent of the session. `child`: the session that is its own; figures are those of all its finished work. */
export interface SubagentState extends Omit<AgentRow, "session" | "parent"> {
  child: string;
  background: boolean;
}

/** Subagents that one answer started at once. `spent` is what they have cost that have ended. */
export interface WaveState {
  wave: string;
  turn: number;
  agents: number;
  /** Micro-dollars that it was expected to cost; null where no price is known. */
  about: number | null;
  spent: number | null;
  startedAt: number;
  endedAt?: number;
}

type At<T> = T & { at: number };

/** `task`: what it is told, in a line. */
export function agentStarted(
  agents: readonly SubagentState[],
  fact: At<FactOf<"agent.started">>,
  task: string,
): SubagentState[] {
  const { agent, definition, child, background, model, colour, wave, at: startedAt } = fact;
  const known = agents.find((each) => each.agent === agent);
  const { rounds, calls, usage, cost } = known ?? { rounds: 0, calls: 0, usage: noUsage, cost: 0 };
  const next: SubagentState = {
    ...{ agent, definition, child, background, model, task, startedAt, rounds, calls, usage, cost },
    ...(colour !== undefined && { colour }),
    ...(wave !== undefined && { wave }),
    state: "working",
  };
  return known ? agents.map((each) => (each === known ? next : each)) : [...agents, next];
}

export const agentEnded = (agents: readonly SubagentState[], fact: At<FactOf<"agent.ended">>): SubagentState[] =>
  agents.map((each) => (each.agent === fact.agent ? ended(each, fact) : each));

function ended(known: SubagentState, fact: At<FactOf<"agent.ended">>): SubagentState {
  const { usage, cost, at: endedAt, why } = fact;
  return {
    ...known,
    ...{ rounds: known.rounds + fact.rounds, calls: known.calls + fact.calls },
    ...{ usage: addUsage(known.usage, usage), cost: addCost(known.cost, cost) },
    ...{ state: fact.state, endedAt },
    ...(why !== "" && { why }),
  };
}

export const waveStarted = (
  waves: readonly WaveState[],
  fact: At<FactOf<"wave.started">>,
  turn: number,
): WaveState[] => [
  ...waves,
  { wave: fact.wave, turn, agents: fact.definitions.length, about: fact.about, spent: 0, startedAt: fact.at },
];

/** One of its subagents has ended. */
export const waveSpent = (waves: readonly WaveState[], wave: string | undefined, cost: number | null): WaveState[] =>
  waves.map((each) => (each.wave === wave ? { ...each, spent: addCost(each.spent, cost) } : each));

export const waveEnded = (waves: readonly WaveState[], { wave, agents, at }: At<FactOf<"wave.ended">>): WaveState[] =>
  waves.map((each) => (each.wave === wave ? { ...each, agents, endedAt: at } : each));
