// Is the conversation getting anywhere? One judgement for every loop, from calls and results alone.
import { sha256 } from "../base/digest.ts";
import type { Stop } from "../protocol/event.ts";
import type { CallContent } from "../protocol/message.ts";
import type { Result } from "../protocol/result.ts";

export interface ProgressLimits {
  rounds: number;
  noProgressRounds: number;
  failingRounds: number;
  denials: number;
  repeatHint: number;
  repeatStop: number;
}

export interface Outcome {
  call: CallContent;
  result: Result;
}

export const repeatHintText =
  "You have made the same call several times in a row. Its result will not change by itself: use what you have, try another way, or say what blocks you.";

/** Counts for one turn. `sawCall` judges before a call runs, `sawRound` after all results of a round are in. */
export class Progress {
  readonly #limits: ProgressLimits;
  readonly #seen = new Set<string>();
  #rounds: number;
  #idleRounds = 0;
  #failing = 0;
  #lastCall = "";
  #streak = 0;

  /** `rounds`: those that the turn had before a crash. */
  constructor(limits: ProgressLimits, rounds = 0) {
    this.#limits = limits;
    this.#rounds = rounds;
  }

  beforeRound(denials: number): Stop | undefined {
    const { rounds, noProgressRounds, failingRounds } = this.#limits;
    if (denials >= this.#limits.denials) {
      return { kind: "denials", text: `Stopped after ${denials} denials: say how to go on.` };
    }
    if (this.#rounds >= rounds) return { kind: "rounds", text: `Stopped after ${rounds} rounds (limits.rounds).` };
    if (this.#failing >= failingRounds) {
      return { kind: "failing-rounds", text: `Stopped: every call of the last ${this.#failing} rounds failed.` };
    }
    if (this.#idleRounds >= noProgressRounds) {
      return {
        kind: "no-progress",
        text: `Stopped: ${this.#idleRounds} rounds brought nothing new (limits.no_progress_rounds).`,
      };
    }
    this.#rounds += 1;
    return undefined;
  }

  /** `hint` once when the identical call repeats; `stop` when it goes on. */
  sawCall(call: CallContent): { hint: boolean; stop?: Stop } {
    const signature = `${call.name} ${JSON.stringify(call.malformed ?? call.input)}`;
    this.#streak = signature === this.#lastCall ? this.#streak + 1 : 1;
    this.#lastCall = signature;
    if (this.#streak >= this.#limits.repeatStop) {
      const text = `Stopped: the model made the same ${call.name} call ${this.#streak} times in a row.`;
      return { hint: false, stop: { kind: "repeated-call", text } };
    }
    return { hint: this.#streak === this.#limits.repeatHint };
  }

  /** New information is a result (or a change) that this turn has not seen before. */
  sawRound(outcomes: readonly Outcome[]): void {
    if (outcomes.length === 0) return;
    this.#failing = outcomes.every(({ result }) => result.status !== "done") ? this.#failing + 1 : 0;
    const fresh = outcomes.map(({ call, result }) => signatureOf(call, result)).filter((each) => !this.#seen.has(each));
    for (const signature of fresh) this.#seen.add(signature);
    this.#idleRounds = fresh.length > 0 ? 0 : this.#idleRounds + 1;
  }
}

function signatureOf(call: CallContent, result: Result): string {
  const changed = result.diff?.files.map((file) => file.patch || file.path) ?? [];
  return sha256(JSON.stringify([call.name, result.status, result.parts, changed]));
}
