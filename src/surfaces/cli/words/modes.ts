// What /mode, /role, /strategy and /effort tell of what there is to choose among.
import { phrases } from "../../phrases/phrases.ts";

export const modes = phrases("modes", {
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
  effort: [
    ["off", "answers at once, where the model can"],
    ["minimal", "as little as it can"],
    ["low", "thinks a little"],
    ["medium", "thinks as much as most work needs"],
    ["high", "thinks long: for hard work; dearer and slower"],
    ["xhigh", "longer still, where the model knows it"],
    ["max", "as long as it can"],
    ["auto", "as the settings say (model.effort), else as the vendor does"],
  ],
  pinned: (model: string) => `${model} was named, so turns are done by it alone: /model auto lets the router choose.`,
  effortSent: (sent: string | null) =>
    sent === null
      ? "The model of the last answer was asked for none."
      : `The model of the last answer was asked for ${sent}.`,
});
