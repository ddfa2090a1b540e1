import type { FactStore } from "../../engine/session/session.ts";

/** Of a session that is nowhere kept. */
export function unkeptFacts(): FactStore {
  let seq = 0;
  return { append: (session, fact) => ({ ...fact, session, seq: (seq += 1), at: Date.now() }), facts: () => [] };
}
