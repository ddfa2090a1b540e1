// How long models were awaited, with what was waited for between their attempts.
import type { StoredFact } from "../../../protocol/event.ts";

export class ModelTime {
  #spent: number;
  #since: number | undefined;

  constructor(spentMs: number) {
    this.#spent = spentMs;
  }

  get ms(): number {
    return Math.round(this.#spent);
  }

  hear({ type, at }: Pick<StoredFact, "type" | "at">): void {
    if (type === "round.started") this.#since ??= at;
    // A round that failed ends with its turn.
    if ((type !== "round.ended" && type !== "turn.ended") || this.#since === undefined) return;
    this.#spent += Math.max(0, at - this.#since);
    this.#since = undefined;
  }
}
