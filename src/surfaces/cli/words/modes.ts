// What /mode, /role and /strategy tell of what there is to choose among.
export const modes = {
  mode: [
    ["ask", "everything asks"],
    ["cautious", "reading runs, the rest asks"],
    ["standard", "reading and reversible changes in the workspace run, the rest asks"],
    ["trusted", "so do local commits, moves, overwriting and declared builds"],
    ["autonomous", "so does what is sandboxed and reversible, unknown programs too"],
    ["full", "all runs but what is never allowed, or not by policy"],
    ["plan", "only reading, at any level"],
    ["deny", "only what a rule allows, at any level"],
    ["none", "takes plan or deny back"],
  ],
  role: [
    ["read-only", "reading"],
    ["standard", "edits, declared checks and local git, too"],
    ["privileged", "every program, network, installs and subagents, too"],
  ],
  strategy: [
    ["single", "the chosen model does it"],
    ["cascade", "the cheapest that will do works; the best reviews it, and goes on where it finds a fault"],
    ["ensemble", "two or three do it side by side; one of the results is taken"],
    ["synthesis", "two or three draft, the best makes one answer of that; for answers only"],
    ["auto", "as router.strategies says"],
  ],
  pinned: (model: string) => `${model} was named, so turns are done by it alone: /model auto lets the router choose.`,
} as const;
