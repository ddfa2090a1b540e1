// The one measure of going in a circle: what was there before comes again, and nothing new comes between.
export interface Recurrence {
  readonly seen: Set<string>;
  /** How often something came again. */
  times: number;
}

export const newRecurrence = (seen: Iterable<string> = [], times = 0): Recurrence => ({ seen: new Set(seen), times });

/** True when it was there before. */
export function meet(recurrence: Recurrence, key: string): boolean {
  if (!recurrence.seen.has(key)) {
    recurrence.seen.add(key);
    return false;
  }
  recurrence.times += 1;
  return true;
}

/** When the one who goes in a circle is told, and when it is ended. */
export interface Threshold {
  hint: number;
  stop: number;
}

export type Standing = "on" | "hint" | "stop";

export const standing = (times: number, { hint, stop }: Threshold): Standing =>
  times >= stop ? "stop" : times >= hint ? "hint" : "on";
