// Text that a call would write is read as text from the world is: an order to an assistant in it waits for whoever reads it next.
import type { Action } from "../../protocol/action.ts";
import type { Assessment } from "../../protocol/effect.ts";
import { saidBy } from "../assess/assess.ts";
import { raised } from "./findings.ts";
import { hostileText } from "./tags.ts";
import type { Facts } from "../contract/ports.ts";

/** What a call would write, in pieces, without what stood there before. */
function newTexts(action: Action, facts: Facts): readonly string[] {
  if (action.kind === "shell" || action.kind === "program") return saidBy(action, facts);
  if (action.kind !== "change") return [];
  return action.changes.flatMap((change) => {
    if (change.op === "write") return [change.content];
    if (change.op !== "edit") return [];
    return change.edits.map(({ old, new: text }) => (old === "" ? text : text.split(old).join("\n")));
  });
}

/** Names of what was found where there is no innocent reading; none otherwise. */
export async function hostileIn(action: Action, facts: Facts): Promise<string[]> {
  const texts = newTexts(action, facts).filter((text) => text.trim() !== "");
  if (texts.length === 0) return [];
  const { ruleNames, scanInjection } = await import("../injection/scan.ts");
  const scans = texts.map(scanInjection).filter(({ verdict }) => verdict === "hostile");
  return [...new Set(scans.flatMap(ruleNames))];
}

/** Asked, not refused: whoever works on such texts may say so. */
export const withHostileText = (assessment: Assessment, found: readonly string[]): Assessment =>
  found.length === 0
    ? assessment
    : raised(assessment, hostileText, "L2", `its text gives orders to an assistant (${found.slice(0, 3).join(", ")})`);
