import type { Stop } from "../../protocol/event.ts";

/** What the turn of an agent needs to know of the subagents that it has started. */
export interface Helpers {
  readonly working: boolean;
  /** For the model: what has ended since it last asked. */
  news(): string | undefined;
  /** Resolves when none works any more, or with the signal. */
  settled(signal: AbortSignal): Promise<void>;
  /** Resolves when all have ended. */
  end(stop: Stop): Promise<void>;
}

/** A final answer waits for what still works; its end sends the model back to look at it. */
export async function answerOfHelpers(helpers: Helpers | undefined, signal: AbortSignal): Promise<string | undefined> {
  if (!helpers) return undefined;
  if (helpers.working) await helpers.settled(signal);
  return signal.aborted ? undefined : helpers.news();
}
