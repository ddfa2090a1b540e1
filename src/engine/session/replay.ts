// Many facts of a stored session in a row, folded as one by one but in a time that grows with their number only.
import type { StoredFact } from "../../protocol/event.ts";
import * as conversation from "./conversation.ts";
import { beginsTrail, followed } from "./trail.ts";
import { foldApart, type SessionState } from "./state.ts";

export class Replay {
  readonly #state: SessionState;
  /** Since the trail last began anew: what a later turn makes forgotten is never worked out. */
  #unfollowed: StoredFact[] = [];

  constructor(state: SessionState) {
    this.#state = state;
  }

  take(fact: StoredFact): void {
    const state = this.#state;
    state.conversation = conversation.replaying(state.conversation);
    foldApart(state, fact);
    if (beginsTrail(fact)) this.#unfollowed = [];
    this.#unfollowed.push(fact);
  }

  /** The state is whole only then. */
  end(): void {
    const state = this.#state;
    state.conversation = conversation.replayed(state.conversation);
    for (const fact of this.#unfollowed) state.trail = followed(state.trail, fact);
  }
}
