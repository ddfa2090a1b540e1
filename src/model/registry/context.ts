import type { Endpoint } from "../endpoints.ts";

/** Tokens that Ollama is asked for where nobody says how many: its own default is too small for work with tools. */
export const usualNumCtx = 16_384;
const usualContext = 128_000;

/** What a person set holds, but no model reads more than it says of itself. */
export function contextOf({ type, settings }: Endpoint, known: number | undefined, found: number | undefined): number {
  const wanted = settings.num_ctx;
  if (type === "ollama") return Math.min(wanted ?? usualNumCtx, found ?? Number.POSITIVE_INFINITY);
  return wanted ?? found ?? known ?? usualContext;
}
