// One request that waits for its answer: looks for signed answers, and runs the clock while a surface is connected.
import type { Tally } from "../../guard/answers.ts";
import type { ApprovalOutcome, ApprovalRequest, SignedAnswer } from "../../protocol/approval.ts";
import type { Fact } from "../../protocol/event.ts";

interface WaitingParts {
  /** All that stand in the store, in order. */
  answers(): SignedAnswer[];
  tally(answers: readonly SignedAnswer[]): Tally;
  running(): boolean;
  setClock(expiresAt: number, paused: boolean): void;
  tell(fact: Fact): void;
}

const lookMs = 100;
/** A longer pause between two looks means that this process was suspended: nobody could have answered. */
const longestStepMs = 2_000;

export class Waiting {
  readonly request: ApprovalRequest;
  readonly #parts: WaitingParts;
  readonly #settled = Promise.withResolvers<ApprovalOutcome>();
  #known = 0;
  #counted = 0;
  #refused = 0;
  #left: number;
  #lookedAt = Date.now();
  #paused = false;

  constructor(request: ApprovalRequest, parts: WaitingParts) {
    this.request = request;
    this.#parts = parts;
    this.#left = request.expiresAt - request.askedAt;
  }

  async outcome(signal: AbortSignal): Promise<ApprovalOutcome> {
    const stopped = () => this.stop();
    signal.addEventListener("abort", stopped, { once: true });
    const timer = setInterval(() => this.look(), lookMs);
    if (signal.aborted) stopped();
    else this.look();
    try {
      return await this.#settled.promise;
    } finally {
      clearInterval(timer);
      signal.removeEventListener("abort", stopped);
    }
  }

  stop(): void {
    this.#settled.resolve({ kind: "unanswered", why: "stopped" });
  }

  /** At answers first: one that is there when the time is over still counts. */
  look(): void {
    try {
      if (!this.#count()) this.#tick(Date.now());
    } catch (error) {
      this.#settled.reject(error);
    }
  }

  #count(): boolean {
    const answers = this.#parts.answers();
    if (answers.length === this.#known) return false;
    this.#known = answers.length;
    const { counted, refused, need, outcome } = this.#parts.tally(answers);
    for (const { by, why } of refused.slice(this.#refused)) this.#warn(by, why);
    this.#refused = refused.length;
    if (!outcome) this.#tellCounted(counted, need);
    this.#counted = counted.length;
    if (outcome) this.#settled.resolve(outcome);
    return outcome !== undefined;
  }

  #tellCounted(counted: readonly SignedAnswer[], need: number): void {
    for (const [at, { by }] of counted.entries()) {
      if (at < this.#counted) continue;
      const { nonce, call } = this.request;
      this.#parts.tell({ type: "approval.counted", nonce, call, by, have: at + 1, need });
    }
  }

  #warn(by: string, why: string): void {
    const text = `An answer to request ${this.request.nonce} in the name of ${by} does not count: ${why}.`;
    this.#parts.tell({ type: "notice.given", code: "approval.forged", level: "warning", text });
  }

  #tick(now: number): void {
    const step = Math.max(0, now - this.#lookedAt);
    this.#lookedAt = now;
    const paused = !this.#parts.running();
    if (!paused) this.#left -= Math.min(step, longestStepMs);
    const moved = step > longestStepMs || paused !== this.#paused;
    this.#paused = paused;
    if (this.#left <= 0) this.#settled.resolve({ kind: "expired" });
    else if (moved) this.#parts.setClock(now + this.#left, paused);
  }
}
