import type { Stop } from "../../protocol/event.ts";
import type { Pin } from "./opening.ts";
import type { SubagentState } from "../session/agent-rows.ts";

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

const mostPinned = 30;

/** Their names outlast the messages in which they were given: they can be told and awaited later. */
export function pinnedHelpers(agents: readonly SubagentState[]): Pin[] {
  if (agents.length === 0) return [];
  const lines = agents
    .slice(-mostPinned)
    .map(({ agent, definition, state, task }) => `- ${agent} (${definition}, ${state}): ${task}`);
  return [{ name: "agents", text: ["Subagents of this conversation:", ...lines].join("\n") }];
}
