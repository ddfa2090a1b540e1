import { outside } from "../limits/envelope.ts";
import type { Permit } from "./permit.ts";

/** Answers what is asked for exactly the commands, paths and hosts of the frozen plan: nothing planned is asked twice. */
export const envelope: Permit = {
  name: "envelope",
  covers(assessment, { task, workspace }) {
    if (!task || assessment.risk === "L3" || outside(assessment, task, workspace) !== undefined) return undefined;
    return { rule: "envelope", text: `The approved plan holds it (${task.digest.slice(0, 12)}).`, tell: true };
  },
};
