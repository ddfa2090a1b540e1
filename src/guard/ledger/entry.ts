// What an entry holds of an act: redacted, well-formed and of bounded size (docs/ledger-format.md, Entry).
import { digestOf, sha256 } from "../../base/digest.ts";
import type { Autonomy, Ceiling, Role, Verdict } from "../../protocol/decision.ts";
import type { Effect, Reason, Risk } from "../../protocol/effect.ts";
import type { Json } from "../../protocol/message.ts";

export interface LedgerAct {
  session: string;
  turn: number;
  call: string;
  tool: string;
  origin: string;
  argumentsDigest: string;
  effects: Effect[];
  risk: Risk;
  verdict: Verdict;
  rule: string;
  approver?: string;
  model?: string;
  sandboxed: boolean;
  /** What a replay judges by, besides the effects. Absent: as by default (docs/ledger-format.md). */
  assessed?: Risk;
  /** It ran on a layer, or would have: the autonomy table counted it as L1. */
  contained?: true;
  tags?: readonly string[];
  reasons?: readonly Pick<Reason, "code" | "risk" | "part">[];
  autonomy?: Autonomy;
  ceiling?: Ceiling;
  role?: Role;
  tainted?: true;
  checkpoints?: false;
  /** Of a session that keeps no content: targets, parts and digests are empty, and nothing can be replayed. */
  incognito?: true;
  /** Short name of the policy and rules in force; the note `policy.in_force` holds them. */
  terms?: string;
}

export interface LedgerOutcome {
  status: string;
  resultDigest: string;
  ms: number;
  /** Micro-dollars. */
  cost?: number;
}

export type Redact = (text: string) => string;

const longestText = 2000;
const mostEffects = 500;
const mostReasons = 100;

export function actFields(act: LedgerAct, redact: Redact): Record<string, unknown> {
  const { argumentsDigest, effects, turn, tags, reasons, ...plain } = act;
  const kept = effects.slice(0, mostEffects).map((effect) => effectFields(effect, redact));
  const more = effects.length - kept.length;
  const texts = Object.entries(plain).map(([name, value]) => [
    name,
    typeof value === "string" ? tidy(value, redact) : value,
  ]);
  return {
    ...Object.fromEntries(texts),
    turn,
    arguments: argumentsDigest,
    effects: kept,
    ...(tags && tags.length > 0 && { tags }),
    ...(reasons &&
      reasons.length > 0 && { reasons: reasons.slice(0, mostReasons).map((each) => reasonFields(each, redact)) }),
    ...(more > 0 && {
      effectsMore: { count: more, digest: digestOf(effects.map((effect) => effectFields(effect, redact))) },
    }),
  };
}

/** Every text in `data`, keys included, is treated like those of an act. */
export function tidyData(data: Json, redact: Redact): Json {
  if (typeof data === "string") return tidy(data, redact);
  if (Array.isArray(data)) return data.map((value) => tidyData(value, redact));
  if (typeof data !== "object" || data === null) return data;
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [tidy(key, redact), tidyData(value, redact)]));
}

function effectFields(effect: Effect, redact: Redact): Record<string, unknown> {
  return {
    kind: effect.kind,
    target: tidy(effect.target, redact),
    undo: effect.undo,
    ...(effect.part !== undefined && { part: tidy(effect.part, redact) }),
  };
}

const reasonFields = ({ code, risk, part }: Pick<Reason, "code" | "risk" | "part">, redact: Redact) => ({
  code,
  risk,
  ...(part !== undefined && { part: tidy(part, redact) }),
});

function tidy(text: string, redact: Redact): string {
  const clean = redact(text.toWellFormed());
  if (clean.length <= longestText) return clean;
  // The cut may fall into a pair of surrogates.
  return `${clean.slice(0, longestText).toWellFormed()} … sha256:${sha256(clean)}`;
}
