// Is the work getting anywhere? One judgement for turns, missions of tasks and subagents, from their facts alone.
import type { Stop } from "../protocol/event.ts";
import type { Counts } from "./loops/counts.ts";
import { hinted, hintText } from "./loops/hints.ts";
import { standing, type Threshold } from "./loops/recurrence.ts";
import type { Trail } from "./session/trail.ts";

export interface LoopLimits {
  rounds: number;
  noProgressRounds: number;
  failingRounds: number;
  denials: number;
  repeatHint: number;
  repeatStop: number;
}

/** Rounds of the turn so far, and denials since a person spoke. */
export interface Spent {
  rounds: number;
  denials: number;
}

export interface Judgement {
  stop?: Stop;
  /** For the model, before its next round; each is said once. */
  hints: string[];
}

/** Before a round. */
export function judge(trail: Trail, spent: Spent, limits: LoopLimits): Judgement {
  const stop = limitStop(spent, limits) ?? circleStop(trail, limits);
  if (stop) return { stop, hints: [] };
  const thresholds = thresholdsOf(limits);
  const { counts, before, about } = trail;
  const due = hinted.filter((kind) => {
    const at = thresholds[kind];
    return standing(counts[kind], at) === "hint" && standing(before[kind], at) === "on";
  });
  return { hints: due.map((kind) => hintText(kind, about, counts[kind])) };
}

/** Which of the newest answer's calls may run: all before the one that goes too far. */
export function allowedCalls(trail: Trail, limits: LoopLimits): { allowed: number; stop?: Stop } {
  const at = trail.streaks.findIndex((streak) => streak >= limits.repeatStop);
  if (at < 0) return { allowed: trail.streaks.length };
  return { allowed: at, stop: repeatedCall(trail, trail.streaks[at] ?? limits.repeatStop) };
}

/** A file that comes back a third time to what it was is not on its way anywhere. */
const spiral: Threshold = { hint: 1, stop: 3 };

function thresholdsOf({
  repeatHint: hint,
  repeatStop: stop,
  noProgressRounds,
}: LoopLimits): Record<keyof Counts, Threshold> {
  const never = Number.POSITIVE_INFINITY;
  return {
    call: { hint, stop },
    idle: { hint: Math.max(2, Math.ceil(noProgressRounds / 2)), stop: noProgressRounds },
    failing: { hint: never, stop: never },
    spiral,
    error: { hint, stop },
    text: { hint, stop },
  };
}

function limitStop({ rounds, denials }: Spent, limits: LoopLimits): Stop | undefined {
  if (denials >= limits.denials) {
    return { kind: "denials", text: `Stopped after ${limits.denials} denials: say how to go on.` };
  }
  if (rounds < limits.rounds) return undefined;
  return { kind: "rounds", text: `Stopped after ${limits.rounds} rounds (limits.rounds).` };
}

function circleStop({ counts, about }: Trail, limits: LoopLimits): Stop | undefined {
  const thresholds = thresholdsOf(limits);
  const over = (kind: keyof Counts) => standing(counts[kind], thresholds[kind]) === "stop";
  if (counts.failing >= limits.failingRounds) {
    const text = `Stopped: every call of the last ${counts.failing} rounds failed, the last one (${about.call}) with: ${about.failure}.`;
    return { kind: "failing-rounds", text };
  }
  if (over("spiral")) {
    const text = `Stopped: ${about.file} went back and forth between contents that it had before.`;
    return { kind: "patch-spiral", text };
  }
  if (over("error")) {
    const text = `Stopped: ${counts.error} different changes to ${about.file} left the same error: ${about.error}.`;
    return { kind: "patch-spiral", text };
  }
  if (over("text")) {
    const text = `Stopped: the model said the same ${counts.text} times without a new call: "${about.text}".`;
    return { kind: "repeated-text", text };
  }
  if (!over("idle")) return undefined;
  const text = `Stopped: ${counts.idle} rounds brought nothing new, the last one with ${about.call} (limits.no_progress_rounds).`;
  return { kind: "no-progress", text };
}

function repeatedCall({ newest, about }: Trail, streak: number): Stop {
  const name = newest.at(-1)?.name ?? "";
  const text = `Stopped: the model made the same ${name} call ${streak} times in a row, with nothing new from it: ${about.call}.`;
  return { kind: "repeated-call", text };
}
