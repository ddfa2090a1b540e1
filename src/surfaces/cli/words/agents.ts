import { phrases } from "../../phrases/phrases.ts";

const subagents = (count: number): string => `${count} ${count === 1 ? "subagent" : "subagents"}`;

export const agents = phrases("agents", {
  agent: "agent",
  state: "state",
  task: "task",
  took: "took",
  session: "session",
  file: "file",
  notes: "notes",
  states: {
    waiting: "waits",
    working: "works",
    done: "done",
    failed: "failed",
    cancelled: "cancelled",
    lost: "lost",
  },
  subagents,
  together: (count: number, took: string) => `${subagents(count)} together: ${took}`,
  asks: "asks you",
  none: "This session has started no subagents.",
  cancelled: (name: string) => `${name} is asked to end.`,
  allCancelled: "All subagents are asked to end.",
  usage: "/agents [list | cancel NAME | cancel all]",
});
