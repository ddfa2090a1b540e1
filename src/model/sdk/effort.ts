// A level of effort in the form that each vendor's package takes.
import type { ModelRequest } from "../../protocol/request.ts";
import { takesThinkingLevel, thinkingTokens, thinksAdaptively } from "../registry/efforts.ts";
import type { SdkProviderOptions } from "./types.ts";

interface Asked {
  options: SdkProviderOptions;
  /** Where a vendor counts thinking on top of what is asked for. */
  maxOutputTokens?: number;
}
export type AskEffort = (request: ModelRequest & { effort: NonNullable<ModelRequest["effort"]> }) => Asked | undefined;

/** The vendor takes no smaller number. */
const leastThinking = 1_024;

export const anthropicEffort: AskEffort = ({ model, effort, maxOutputTokens }) => {
  if (effort === "off") return { options: { anthropic: { thinking: { type: "disabled" } } } };
  if (thinksAdaptively(model)) {
    const level = effort === "minimal" ? "low" : effort;
    return { options: { anthropic: { thinking: { type: "adaptive", display: "summarized" }, effort: level } } };
  }
  // At least half is left for the answer. The package adds the number to the longest answer: together they are what was allowed.
  const budgetTokens = Math.min(thinkingTokens[effort], Math.floor(maxOutputTokens / 2));
  if (budgetTokens < leastThinking) return undefined;
  return {
    options: { anthropic: { thinking: { type: "enabled", budgetTokens } } },
    maxOutputTokens: maxOutputTokens - budgetTokens,
  };
};

/** Without a summary of the reasoning, which the vendor gives to verified organisations only. */
export const openaiEffort: AskEffort = ({ effort }) => ({
  options: {
    openai: { reasoningEffort: effort === "off" ? "none" : effort, reasoningSummary: null, forceReasoning: true },
  },
});

export const googleEffort: AskEffort = ({ model, effort, maxOutputTokens }) => {
  if (takesThinkingLevel(model)) {
    const level = effort === "off" ? "minimal" : effort === "max" || effort === "xhigh" ? "high" : effort;
    return { options: { google: { thinkingConfig: { thinkingLevel: level } } } };
  }
  const tokens = effort === "off" ? 0 : Math.min(thinkingTokens[effort], Math.floor(maxOutputTokens / 2));
  return { options: { google: { thinkingConfig: { thinkingBudget: tokens } } } };
};
