import type { Endpoint } from "../contract/endpoints.ts";
import type { Finding } from "../contract/card.ts";

/** Tokens that Ollama is asked for where nobody says how many: its own default is too small for work with tools. */
export const usualNumCtx = 16_384;
const usualContext = 128_000;

/** What a person set holds, but no model reads more than it says of itself, or than a probe has shown. */
export function contextOf(
  { type, settings }: Endpoint,
  known: number | undefined,
  finding: Pick<Finding, "contextTokens" | "triedTokens"> | undefined,
): number {
  const wanted = settings.num_ctx;
  const { contextTokens: told, triedTokens: tried = Number.POSITIVE_INFINITY } = finding ?? {};
  const said = type === "ollama" ? Math.min(wanted ?? usualNumCtx, told ?? wanted ?? usualNumCtx) : (wanted ?? told);
  return Math.min(said ?? known ?? usualContext, tried);
}
