// Sentences of the commands that look at and answer requests from another terminal.

import { phrases } from "../../phrases/phrases.ts";
import { plural } from "../text/amounts.ts";

export const approvals = phrases("approvals", {
  unanswered: (count: number) =>
    `${plural(count, "question")} stayed unanswered, so not everything was done (exit code 3). --wait-approvals waits for fettle approve from elsewhere.`,
  waiting: (id: string) => `waiting for an answer: fettle approve ${id}, or fettle deny ${id} --why "…"`,

  badWait: (value: string) => `--wait-approvals needs a whole number of seconds, not '${value}'.`,
  waitNeedsPrint: "--wait-approvals is for a run without questions.",
  waitNeedsPrintRemedy: "Give -p too; an interactive session waits anyway.",
});
