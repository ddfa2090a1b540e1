// Points in time that are given as flags.
import { phrases } from "../../phrases/phrases.ts";
import { usageFault } from "./failure.ts";

export const words = phrases("times", {
  bad: (flag: string, given: string) => `--${flag} needs a date or an age such as 30m, 2h or 7d, not '${given}'.`,
});

const units: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `2h`, `3d`, or a date; undefined when it is neither. */
export function parseTime(text: string, now: number): number | undefined {
  const back = /^(\d+)([mhd])$/.exec(text);
  if (back) return now - Number(back[1]) * (units[back[2] ?? ""] ?? 0);
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : at;
}

function timeOf(flag: string, given: string): number {
  const at = parseTime(given, Date.now());
  if (at === undefined) throw usageFault(words.bad(flag, given));
  return at;
}

/** `--since` and `--until`, of those that were given. */
export const spanOf = ({ since, until }: SpanFlags): { since?: number; until?: number } => ({
  ...(since !== undefined && { since: timeOf("since", since) }),
  ...(until !== undefined && { until: timeOf("until", until) }),
});

export interface SpanFlags {
  since?: string;
  until?: string;
}
