// What a task or a subagent will probably cost, from what is known before it begins: an estimate, told as one.
import { costOf, type Price } from "../../model/contract/pricing.ts";
import type { Usage } from "../../protocol/message.ts";

export interface TaskSize {
  /** Files of the repository that git knows, and their bytes. */
  files: number;
  bytes: number;
}

interface TaskEstimate {
  rounds: { low: number; high: number };
  tokens: { low: number; high: number };
  /** Micro-dollars; null when the price is unknown. */
  cost: { low: number; high: number } | null;
}

/** Of tasks as they usually go: small ones of a few files, and those that have to be healed. */
const usual = {
  low: { rounds: 14, grownBy: 700, output: 250, cached: 0.85 },
  high: { rounds: 70, grownBy: 900, output: 450, cached: 0.7 },
};
/** System prompt, tools and the mission. */
const prefixTokens = 4_000;
/** What a long conversation is compacted to. */
const mostConversation = 60_000;

export function estimateTask({ files, bytes }: TaskSize, price: Price | undefined): TaskEstimate {
  const map = Math.min(12_000, files * 25);
  // Larger files are read in larger pieces.
  const reading = 1 + Math.min(1, bytes / Math.max(1, files) / 20_000);
  const side = ({ rounds, grownBy, output, cached }: (typeof usual)["low"]) => {
    let input = 0;
    for (let round = 0; round < rounds; round += 1)
      input += prefixTokens + Math.min(mostConversation, map + round * grownBy * reading);
    const whole = Math.round(input);
    const usage = {
      input: whole,
      cacheRead: Math.round(whole * cached),
      cacheWrite: 0,
      output: output * rounds,
      reasoning: 0,
    };
    return { rounds, tokens: whole + usage.output, cost: costOf(usage, price) };
  };
  const [low, high] = [side(usual.low), side(usual.high)];
  return {
    rounds: { low: low.rounds, high: high.rounds },
    tokens: { low: low.tokens, high: high.tokens },
    cost: low.cost === null || high.cost === null ? null : { low: low.cost, high: high.cost },
  };
}

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
