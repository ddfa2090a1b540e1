import type { Usage } from "./message.ts";

export const noUsage: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };

export const addUsage = (left: Usage, right: Usage): Usage => ({
  input: left.input + right.input,
  output: left.output + right.output,
  cacheRead: left.cacheRead + right.cacheRead,
  cacheWrite: left.cacheWrite + right.cacheWrite,
  reasoning: left.reasoning + right.reasoning,
});

/** Micro-dollars; null is unknown, and stays so. */
export const addCost = (left: number | null, right: number | null): number | null =>
  left === null || right === null ? null : left + right;
