import { phrases } from "../../phrases/phrases.ts";

export const words = phrases("export", {
  turn: (turn: number) => `Turn ${turn}`,
  thought: "thought",
  status: {
    done: "done",
    failed: "failed",
    refused: "refused",
    expired: "not answered",
    unknown: "outcome unknown",
    open: "not ended",
  },
});
