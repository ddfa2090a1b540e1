// A stored session is replayed faster than it grew, and to the same state.
import fc from "fast-check";
import { expect, test } from "vitest";
import { Replay } from "../../src/engine/session/replay.ts";
import { fold, newState } from "../../src/engine/session/state.ts";
import type { Fact, StoredFact } from "../../src/protocol/event.ts";

const usage = { input: 10, output: 1, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
const text = fc.constantFrom("look", "error: no such file", "the same again");
const parts = text.map((each) => [{ type: "text" as const, text: each }]);
const turn = fc.integer({ min: 1, max: 4 });
const call = fc.constantFrom("c1", "c2", "c3");
const origin = fc.constantFrom("person" as const, "fettle" as const, "agent" as const);

const fact: fc.Arbitrary<Fact> = fc.oneof(
  fc.record({ type: fc.constant("turn.started" as const), turn, prompt: parts, origin }),
  fc.record({ type: fc.constant("prompt.joined" as const), turn, prompt: parts, origin }),
  fc.record({ type: fc.constant("note.added" as const), turn, text }),
  fc.tuple(turn, fc.array(call, { maxLength: 2 }), text).map(
    ([number, calls, said]): Fact => ({
      ...{ type: "round.ended", turn: number, round: 1, vendor: "v", model: "v/m", usage, cost: 1, ms: 1 },
      finish: calls.length > 0 ? "calls" : "stop",
      content: [
        { type: "text", text: said },
        ...calls.map((id) => ({ type: "call" as const, id, name: "read", input: { path: said } })),
      ],
    }),
  ),
  fc.tuple(turn, call, parts).map(
    ([number, id, result]): Fact => ({
      ...{ type: "call.ended", turn: number, call: id, tool: "read", ms: 1 },
      result: { status: "done", parts: result },
    }),
  ),
  turn.map((number): Fact => ({ type: "turn.ended", turn: number, stop: { kind: "done", text: "" }, usage, cost: 1 })),
  turn.map((number): Fact => ({ type: "session.rewound", turn: number, conversation: true })),
  fc.constant<Fact>({ type: "session.cleared" }),
);

test("a replay ends in the state that the same facts made one by one, and in one that goes on alike", () => {
  const facts = fc.array(fact, { maxLength: 40 });
  fc.assert(
    fc.property(facts, facts, (before, after) => {
      const stored = [...before, ...after].map((each, at): StoredFact => ({ ...each, session: "s", seq: at + 1, at }));
      const slow = newState();
      const quick = newState();
      const replay = new Replay(quick);
      for (const each of stored.slice(0, before.length)) {
        fold(slow, each);
        replay.take(each);
      }
      replay.end();
      expect(quick).toEqual(slow);
      for (const each of stored.slice(before.length)) {
        fold(slow, each);
        const kept = quick.conversation;
        const messages = [...kept.messages];
        fold(quick, each);
        expect(kept.messages).toEqual(messages);
      }
      expect(quick).toEqual(slow);
    }),
  );
});
