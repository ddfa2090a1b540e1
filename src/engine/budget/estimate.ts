// What a subagent will probably use, from what is known before it begins: an estimate, told as one.
import type { Usage } from "../../protocol/message.ts";

/** System prompt, tools and the mission. */
const prefixTokens = 4_000;

/** Of subagents as they usually go: they look at a few files, or change one, and answer. */
const usualSubagent = { rounds: 8, grownBy: 1_200, output: 250, cached: 0.75 };

export function usualRun(mostRounds: number = usualSubagent.rounds): { calls: number; usage: Usage } {
  const { grownBy, output, cached } = usualSubagent;
  const calls = Math.max(1, Math.min(mostRounds, usualSubagent.rounds));
  let input = 0;
  for (let round = 0; round < calls; round += 1) input += prefixTokens + round * grownBy;
  return {
    calls,
    usage: { input, cacheRead: Math.round(input * cached), cacheWrite: 0, output: output * calls, reasoning: 0 },
  };
}
