import coder from "../../../assets/agents/coder.md";
import explorer from "../../../assets/agents/explorer.md";
import planner from "../../../assets/agents/planner.md";
import reviewer from "../../../assets/agents/reviewer.md";
import verifier from "../../../assets/agents/verifier.md";

/** In the order in which the model reads of them. */
export const bundledAgents: readonly { name: string; text: string }[] = [
  { name: "explorer", text: explorer },
  { name: "planner", text: planner },
  { name: "coder", text: coder },
  { name: "reviewer", text: reviewer },
  { name: "verifier", text: verifier },
];
