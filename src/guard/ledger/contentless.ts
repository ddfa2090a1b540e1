// The ledger of an incognito session: that something was done, of what kind and risk, by whose leave, and nothing of what.
import { sha256 } from "../../base/digest.ts";
import type { Json } from "../../protocol/message.ts";
import type { Ledger, LedgerAct } from "./ledger.ts";

/** Stands where the digest of a content would: a guess could be checked against that. */
const nothing = sha256("");

/** Members of notes that tell who, when, how much and under which rules, never what. */
const kept: ReadonlySet<string> = new Set([
  ...["session", "turn", "call", "job", "state", "code", "by", "requester", "from", "to", "nonce", "kept", "outcome"],
  ...["model", "usage", "input", "output", "cacheRead", "cacheWrite", "reasoning", "cost", "sampling", "effort"],
  ...["terms", "risk", "verdict", "rule", "at", "expires", "fingerprint"],
]);

export function contentless(ledger: Ledger): Ledger {
  return {
    begin: (act) => ledger.begin(withoutContent(act)),
    end: (of, outcome) => ledger.end(of, { ...outcome, resultDigest: nothing }),
    deny: (act) => ledger.deny(withoutContent(act)),
    note: (name, data, options) => ledger.note(name, { ...withoutWords(data), incognito: true }, options),
    receipt: (data) => ledger.receipt({ ...withoutWords(data), incognito: true }),
    settle: () => ledger.settle(),
    seal: (reason) => ledger.seal(reason),
    retain: (days) => ledger.retain(days),
    close: () => ledger.close(),
  };
}

function withoutContent({ effects, reasons, ...act }: LedgerAct): LedgerAct {
  return {
    ...act,
    argumentsDigest: nothing,
    effects: effects.map(({ kind, undo }) => ({ kind, undo, target: "" })),
    ...(reasons && { reasons: reasons.map(({ code, risk }) => ({ code, risk })) }),
    incognito: true,
  };
}

/** Names and numbers of the known members; what holds lists or paths is left out. */
function withoutWords(data: { [key: string]: Json }): { [key: string]: Json } {
  const entries = Object.entries(data).filter(([key]) => kept.has(key));
  return Object.fromEntries(
    entries.flatMap(([key, value]): [string, Json][] => {
      if (Array.isArray(value)) return [];
      return [[key, value !== null && typeof value === "object" ? withoutWords(value) : value]];
    }),
  );
}
