import type { SessionState } from "../state.ts";

/** What a conversation must not forget while it gives way to a summary: who works for it, and on what. */
export const agentPins = ({ agents }: Pick<SessionState, "agents">): { name: string; text: string }[] =>
  agents
    .filter(({ state }) => state === "working")
    .map(({ agent, task }) => ({ name: `subagent ${agent}`, text: `The subagent ${agent} works on: ${task}` }));
