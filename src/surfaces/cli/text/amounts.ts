// Money, tokens, durations and ages as people read them.
import type { Usage } from "../../../protocol/message.ts";

/** Micro-dollars to dollars: cents from ten cents on, else as many digits as show something. */
export function money(micro: number | null): string {
  if (micro === null) return "cost unknown";
  const dollars = micro / 1_000_000;
  if (micro === 0) return "$0";
  if (dollars >= 0.1) return `$${dollars.toFixed(2)}`;
  return `$${dollars.toFixed(dollars >= 0.001 ? 4 : 6)}`;
}

export function count(number: number): string {
  if (number < 1000) return String(number);
  if (number < 999_500) return `${(number / 1000).toFixed(number < 9950 ? 1 : 0)}k`;
  return `${(number / 1_000_000).toFixed(1)}M`;
}

export const tokens = (usage: Usage): string =>
  `${count(usage.input)} in${usage.cacheRead > 0 ? ` (${count(usage.cacheRead)} cached)` : ""}, ${count(usage.output)} out`;

export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 59.5) return `${Math.round(seconds)} s`;
  const whole = Math.round(seconds);
  if (whole < 3600) return `${Math.floor(whole / 60)} min${whole % 60 === 0 ? "" : ` ${whole % 60} s`}`;
  const minutes = Math.round(whole / 60);
  return `${Math.floor(minutes / 60)} h${minutes % 60 === 0 ? "" : ` ${minutes % 60} min`}`;
}

export function age(at: number, now: number): string {
  const minutes = Math.floor(Math.max(0, now - at) / 60_000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h ago`;
  return `${Math.floor(minutes / (24 * 60))} d ago`;
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

export const plural = (number: number, one: string, many = `${one}s`): string =>
  `${number} ${number === 1 ? one : many}`;
