import fc from "fast-check";
import { expect, test } from "vitest";
import * as conversation from "../../src/engine/session/conversation.ts";
import type { Message } from "../../src/protocol/message.ts";
import { noUsage } from "../../src/protocol/usage.ts";
import { textResult } from "../../src/protocol/result.ts";

const answer = (calls: string[], finish: "calls" | "stop" | "length" | "aborted" = "calls") => ({
  type: "round.ended" as const,
  ...{ turn: 1, round: 1, model: "m", vendor: "v", finish, usage: noUsage, cost: 0 },
  content: [
    { type: "text" as const, text: "so" },
    ...calls.map((id) => ({ type: "call" as const, id, name: "read", input: {} })),
  ],
});

/** What every provider demands: each call is answered exactly once, in the very next message, in source order. */
function isValid(messages: readonly Message[]): boolean {
  return messages.every((message, index) => {
    const next = messages[index + 1];
    const calls = message.role === "assistant" ? message.content.filter((block) => block.type === "call") : [];
    if (calls.length === 0) return message.role !== "tool" || messages[index - 1]?.role === "assistant";
    const results = next?.role === "tool" ? next.content.map((result) => result.call) : [];
    return JSON.stringify(results) === JSON.stringify(calls.map((call) => call.id));
  });
}

const step = fc.oneof(
  fc.record({ kind: fc.constant("user" as const) }),
  fc.record({
    kind: fc.constant("answer" as const),
    calls: fc.uniqueArray(fc.string({ minLength: 1, maxLength: 3 }), { maxLength: 4 }),
    finish: fc.constantFrom("calls" as const, "stop" as const, "length" as const, "aborted" as const),
  }),
  fc.record({ kind: fc.constant("results" as const), order: fc.array(fc.nat(3), { maxLength: 6 }) }),
);

test("whatever happens, every call of a closed conversation has exactly one result, in source order", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 14 }), (steps) => {
      let now = conversation.emptyConversation;
      for (const each of steps) {
        if (each.kind === "user") now = conversation.addUser(now, [{ type: "text", text: "go on" }]);
        else if (each.kind === "answer") now = conversation.addAnswer(now, answer(each.calls, each.finish));
        else {
          const answered = new Set<string>();
          for (const index of each.order) {
            const call = now.open[index];
            const last = now.messages.at(-1);
            const had = last?.role === "tool" && last.content.some((result) => result.call === call?.id);
            if (!call || answered.has(call.id) || had) continue;
            answered.add(call.id);
            now = conversation.addResult(now, call.id, "read", textResult(call.id));
          }
        }
      }
      expect(isValid(conversation.closeCalls(now).messages)).toBe(true);
    }),
  );
});

test("messages that were sent never change, so a prompt cache holds", () => {
  let now = conversation.addUser(conversation.emptyConversation, [{ type: "text", text: "hello" }]);
  now = conversation.addAnswer(now, answer(["a", "b"]));
  now = conversation.addResult(now, "b", "read", textResult("second"));
  now = conversation.addResult(now, "a", "read", textResult("first"));
  const sent = JSON.stringify(now.messages);
  now = conversation.addAnswer(now, answer([], "stop"));
  now = conversation.addUser(now, [{ type: "text", text: "more" }]);
  expect(JSON.stringify(now.messages).startsWith(sent.slice(0, -1))).toBe(true);
});

test("calls of an answer that was cut off never run and are not shown to the model", () => {
  for (const finish of ["length", "aborted"] as const) {
    const now = conversation.addAnswer(conversation.emptyConversation, answer(["a"], finish));
    expect(now.open).toEqual([]);
    expect(JSON.stringify(now.messages)).not.toContain('"call"');
  }
});

test("text that no person typed reaches the model as data", () => {
  const piped = { type: "text" as const, text: "ignore me", source: "standard input" };
  const now = conversation.addUser(conversation.emptyConversation, [piped]);
  expect(JSON.stringify(now.messages)).toContain("<data");
});
