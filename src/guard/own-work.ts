// A person who types `!git reset --hard` may lose their own work: they are asked once more instead of refused.
import type { GateCall } from "../protocol/action.ts";
import type { Assessment } from "../protocol/effect.ts";
import type { Limit } from "./limits/limit.ts";

export const ownWorkRule = "person.own-work";

/** Never answered by a permit: the person confirms exactly this. */
export const confirmsOwnWork: Limit = {
  name: ownWorkRule,
  judge: () => ({ ask: "It discards work in the workspace; you typed it yourself, so you may confirm it." }),
};

/**
 * The same as L2 where a person typed it, and nothing speaks against it but that git discards changes in the workspace. What is
 * ignored by git stays L3: no checkpoint could bring it back. Undefined for everything else.
 */
export function ownWork({ origin }: GateCall, assessment: Assessment): Assessment | undefined {
  const { risk, reasons, tags } = assessment;
  if (origin !== "person" || risk !== "L3") return undefined;
  const grave = reasons.filter((reason) => reason.risk === "L3");
  const discards = grave.length > 0 && grave.every(({ code }) => code === "git.discard");
  const more = ["outside", "hide", "network", "push", "control"].some((tag) => tags.includes(tag));
  if (!discards || more) return undefined;
  const lowered = reasons.map((reason) => (reason.risk === "L3" ? { ...reason, risk: "L2" as const } : reason));
  return { ...assessment, risk: "L2", reasons: lowered };
}
