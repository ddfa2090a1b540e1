// Money, tokens, durations and ages as people read them.
import type { Usage } from "../../../protocol/message.ts";
import { decimal, pluralForm } from "../../phrases/numbers.ts";
import { phrases } from "../../phrases/phrases.ts";

export const words = phrases("amounts", {
  costUnknown: "cost unknown",
  dollars: (amount: string) => `$${amount}`,
  million: (number: string) => `${number}M`,
  tokens: (input: string, cached: string | undefined, output: string) =>
    `${input} in${cached === undefined ? "" : ` (${cached} cached)`}, ${output} out`,
  justNow: "just now",
  minutesAgo: (minutes: number) => `${minutes} min ago`,
  hoursAgo: (hours: number) => `${hours} h ago`,
  daysAgo: (days: number) => `${days} d ago`,
});

/** How many of what is counted again and again. */
export const counts = phrases("counts", {
  files: (number: number) => plural(number, "file"),
  changed: (number: number) => `${plural(number, "file")} changed`,
  lines: (number: number) => plural(number, "line"),
  rounds: (number: number) => plural(number, "round"),
  calls: (number: number) => plural(number, "call"),
  turns: (number: number) => plural(number, "turn"),
});

/** Micro-dollars to dollars: cents from ten cents on, else as many digits as show something. */
export function money(micro: number | null): string {
  if (micro === null) return words.costUnknown;
  const dollars = micro / 1_000_000;
  if (micro === 0) return words.dollars("0");
  if (dollars >= 0.1) return words.dollars(decimal(dollars, 2));
  return words.dollars(decimal(dollars, dollars >= 0.001 ? 4 : 6));
}

export function count(number: number): string {
  if (number < 1000) return String(number);
  if (number < 999_500) return `${decimal(number / 1000, number < 9950 ? 1 : 0)}k`;
  return words.million(decimal(number / 1_000_000, 1));
}

export const tokens = (usage: Usage): string =>
  words.tokens(count(usage.input), usage.cacheRead > 0 ? count(usage.cacheRead) : undefined, count(usage.output));

export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 10) return `${decimal(seconds, 1)} s`;
  if (seconds < 59.5) return `${Math.round(seconds)} s`;
  const whole = Math.round(seconds);
  if (whole < 3600) return `${Math.floor(whole / 60)} min${whole % 60 === 0 ? "" : ` ${whole % 60} s`}`;
  const minutes = Math.round(whole / 60);
  return `${Math.floor(minutes / 60)} h${minutes % 60 === 0 ? "" : ` ${minutes % 60} min`}`;
}

export function age(at: number, now: number): string {
  const minutes = Math.floor(Math.max(0, now - at) / 60_000);
  if (minutes < 1) return words.justNow;
  if (minutes < 60) return words.minutesAgo(minutes);
  if (minutes < 24 * 60) return words.hoursAgo(Math.floor(minutes / 60));
  return words.daysAgo(Math.floor(minutes / (24 * 60)));
}

/** When something will be over, as one would say it now: the hour, with the day if that is another one. */
export function clockTime(at: number, now: number): string {
  const [day = "", hour = ""] = moment(at).slice(0, 16).split(" ");
  return moment(now).startsWith(day) ? hour : `${day} ${hour}`;
}

/** Local time, sortable. */
export function moment(at: number): string {
  const date = new Date(at);
  const two = (number: number) => String(number).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

/** A number of things, the number as its language writes it. */
export const plural = (number: number, one: string, many = `${one}s`): string =>
  `${decimal(number)} ${pluralForm(number) === "one" ? one : many}`;
