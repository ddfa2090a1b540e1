// Conversations as they can come about, for properties of what is sent of them.
import fc from "fast-check";
import * as conversation from "../../src/engine/session/conversation.ts";
import type { Conversation } from "../../src/engine/session/conversation.ts";
import type { AssistantContent, Message, Part } from "../../src/protocol/message.ts";
import { noUsage } from "../../src/protocol/usage.ts";

const image: Part = { type: "image", mime: "image/png", data: "iVBORw0KGgo=" };
const words = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.constantFrom("fix the login", "never touch db/", "use tabs", "x".repeat(9000), "\ud800 odd"),
);

interface CallPlan {
  name: string;
  size: number;
  image: boolean;
  failed: boolean;
}
const callPlan: fc.Arbitrary<CallPlan> = fc.record({
  name: fc.constantFrom("read", "shell", "grep", "ask", "edit"),
  size: fc.constantFrom(0, 20, 900, 6_000, 40_000),
  image: fc.boolean(),
  failed: fc.boolean(),
});

export type Happening =
  | { kind: "person"; text: string; image: boolean; attached: boolean }
  | { kind: "note" | "command"; text: string }
  | { kind: "answer"; text: string; reasoning: boolean; vendor: string; calls: CallPlan[]; finish: "calls" | "aborted" }
  | { kind: "stopped" };

export const happening: fc.Arbitrary<Happening> = fc.oneof(
  fc.record({ kind: fc.constant("person" as const), text: words, image: fc.boolean(), attached: fc.boolean() }),
  fc.record({ kind: fc.constantFrom("note" as const, "command" as const), text: words }),
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("answer" as const),
      text: words,
      reasoning: fc.boolean(),
      vendor: fc.constantFrom("anthropic", "google", "openai", "chat:test", "ollama"),
      calls: fc.array(callPlan, { maxLength: 4 }),
      finish: fc.constantFrom("calls" as const, "calls" as const, "aborted" as const),
    }),
  },
  fc.constant({ kind: "stopped" as const }),
);

export const begun = conversation.addUser(conversation.emptyConversation, [{ type: "text", text: "fix it" }]);

/** One after the other, as the engine folds them; every round's calls are answered but for those of a stopped one. */
export function grow(from: Conversation, happenings: readonly Happening[], label = "c"): Conversation {
  let now = from;
  let number = 0;
  for (const each of happenings) {
    number += 1;
    if (each.kind === "person") {
      const attached: Part = { type: "text", text: `text of a file ${number}`, source: `src/${number}.ts`, found: [] };
      now = conversation.addUser(now, [
        { type: "text", text: each.text },
        ...(each.attached ? [attached] : []),
        ...(each.image ? [image] : []),
      ]);
    } else if (each.kind === "stopped") now = conversation.closeCalls(now);
    else if (each.kind === "answer") now = answer(now, each, `${label}${number}`);
    else now = conversation.addUser(now, [{ type: "text", text: each.text }], each.kind);
  }
  return conversation.closeCalls(now);
}

function answer(now: Conversation, plan: Extract<Happening, { kind: "answer" }>, id: string): Conversation {
  const calls = plan.calls.map(
    (call, index): AssistantContent => ({
      ...{ type: "call", id: `${id}-${index}`, name: call.name, input: { path: `src/${call.name}${call.size}.ts` } },
      ...(plan.vendor === "google" && { vendorData: { google: { thoughtSignature: `sig-${id}` } } }),
    }),
  );
  const thought: AssistantContent = {
    ...{ type: "reasoning", text: "hm", vendor: plan.vendor },
    vendorData: { [plan.vendor]: { signature: `sig-${id}` } },
  };
  let next = conversation.addAnswer(now, {
    ...{ type: "round.ended", turn: 1, round: 1, model: "m", vendor: plan.vendor, usage: noUsage, cost: 0 },
    content: [...(plan.reasoning ? [thought] : []), { type: "text", text: plan.text || "so" }, ...calls],
    finish: plan.finish,
  });
  for (const call of next.open) {
    const {
      size,
      image: pictured,
      failed,
    } = plan.calls[Number(call.id.split("-").at(-1))] ?? { size: 0, image: false, failed: false };
    next = conversation.addResult(next, call.id, call.name, {
      status: failed ? "failed" : "done",
      parts: [
        { type: "text", text: `<data source="x">\n${"word ".repeat(size / 5)}\n</data>` },
        ...(pictured ? [image] : []),
      ],
    });
  }
  return next;
}

/** What all providers demand of messages before any of them turns them into its own. */
export function wrongWith(messages: readonly Message[]): string | undefined {
  const ids = new Set<string>();
  for (const [index, message] of messages.entries()) {
    if (message.content.length === 0) return `message ${index} is empty`;
    if (message.role === "tool" && messages[index - 1]?.role !== "assistant")
      return `results at ${index} answer nothing`;
    if (message.role !== "assistant") continue;
    const calls = message.content.flatMap((block) => (block.type === "call" ? [block.id] : []));
    if (calls.some((id) => ids.has(id))) return `a call id at ${index} repeats`;
    for (const id of calls) ids.add(id);
    const next = messages[index + 1];
    const results = next?.role === "tool" ? next.content.map(({ call }) => call) : [];
    if (JSON.stringify(results) !== JSON.stringify(calls))
      return `calls ${calls.join()} at ${index} have results ${results.join()}`;
  }
  return messages[0]?.role === "user" || messages.length === 0 ? undefined : "it does not begin with a user message";
}
