// Another agent's program decides by itself what it does: only the sandbox holds it to what was judged.
import type { Limit } from "./limit.ts";

export const cliAgents: Limit = {
  name: "cli-agent.unconfined",
  judge: ({ tags }, { sandboxed }) =>
    tags.includes("cli-agent") && !sandboxed
      ? { ask: "There is no sandbox: nothing would keep this agent's program to the workspace and to its host." }
      : "pass",
};
