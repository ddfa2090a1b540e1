// Of a call that may not run as a whole: which of its parts stand in the way, why, and which would run by themselves.
import type { Action, FileChange, GateCall } from "../protocol/action.ts";
import { riskRank } from "../protocol/risk.ts";
import type { Judged } from "./approve.ts";
import { listParts } from "./command-line/syntax/list-parts.ts";

/** `free` would run unasked; `held` would not, each with its reason. Both name parts as the model wrote them. */
export interface Remainder {
  held: { part: string; why: string }[];
  free: string[];
  /** Each part was judged by itself. */
  apart?: true;
}

const mostParts = 12;

export function remainderOf({ call, assessment, decision }: Judged, judge: (call: GateCall) => Judged): Remainder {
  const parts = partsOf(call.action);
  const whole = { held: [{ part: "", why: whyOf({ call, assessment, decision }) }], free: [] };
  if (parts.length < 2)
    return parts.length === 1 ? whole : { ...whole, held: namedReasons({ call, assessment, decision }) };
  const remainder: Remainder = { held: [], free: [], apart: true };
  for (const { name, action } of parts) {
    const judged = judge({ ...call, action });
    const { verdict } = judged.decision;
    if (verdict === "allow" || verdict === "notify") remainder.free.push(name);
    else remainder.held.push({ part: name, why: whyOf(judged) });
  }
  // Together they are more than each alone: the whole stands for itself.
  return remainder.held.length === 0 ? whole : remainder;
}

function partsOf(action: Action): { name: string; action: Action }[] {
  if (action.kind === "shell")
    return listParts(action.command).map((command) => ({ name: command, action: { ...action, command } }));
  if (action.kind === "change" && action.changes.length <= mostParts)
    return action.changes.map((change) => ({ name: nameOf(change), action: { ...action, changes: [change] } }));
  return [];
}

const nameOf = (change: FileChange): string =>
  change.op === "move" ? `move ${change.path} to ${change.to}` : `${change.op} ${change.path}`;

/** What the assessment itself says of the parts of a call that cannot be taken apart. */
function namedReasons(judged: Judged): Remainder["held"] {
  const worst = worstOf(judged);
  return worst.length === 0
    ? [{ part: "", why: whyOf(judged) }]
    : worst.slice(0, 3).map(({ part = "", text }) => ({ part, why: text }));
}

const whyOf = (judged: Judged): string => {
  const texts = [...new Set(worstOf(judged).map(({ text }) => text))];
  return texts.length === 0 ? judged.decision.text : texts.slice(0, 3).join(", ");
};

function worstOf({ assessment: { reasons } }: Judged) {
  const rank = Math.max(0, ...reasons.map(({ risk }) => riskRank(risk)));
  return reasons.filter(({ risk }) => riskRank(risk) === rank && rank > 0);
}
