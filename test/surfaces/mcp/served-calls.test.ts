// What a client that is late or lies sends back to a question of the gate.
import type { InputRequiredResult } from "@modelcontextprotocol/server";
import { expect, test } from "vitest";
import type { ApprovalRequest } from "../../../src/protocol/approval.ts";
import type { Client, Command } from "../../../src/protocol/client.ts";
import type { Event } from "../../../src/protocol/event.ts";
import { ServedCalls } from "../../../src/surfaces/mcp/served-calls.ts";

/** A session whose events the test tells, and that remembers what it was sent. */
function session() {
  const sent: Command[] = [];
  const waiting: Event[] = [];
  let wake = Promise.withResolvers<void>();
  const client = {
    send: async (command: Command) => void sent.push(command),
    async *events() {
      for (;;) {
        yield* waiting.splice(0);
        await wake.promise;
        wake = Promise.withResolvers();
      }
    },
  };
  const words = { card: () => [], result: () => "", answer: "", cannotAsk: "", declined: "", closed: "closed" };
  const calls = new ServedCalls({ client: client as unknown as Client, words, log: () => undefined } as never);
  void calls.follow();
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return {
    sent,
    async tell(...events: object[]) {
      await settled();
      waiting.push(...(events as Event[]));
      wake.resolve();
      await settled();
    },
    call: (state?: string, answer?: string, signal = new AbortController().signal) =>
      calls.call({
        make: (call) => ({ type: "tool.call", call, tool: "shell", input: {} }),
        can: { elicitation: {}, sampling: {}, roots: {} },
        context: {
          signal,
          requestState: (() => state) as never,
          inputResponses: { approval: { action: "accept", content: { answer } } } as never,
        },
      }),
  };
}

const asked = (nonce: string) => ({ type: "approval.asked", request: { nonce } as ApprovalRequest });
const stateOf = (reply: unknown) => (reply as InputRequiredResult).requestState;
const answers = (sent: readonly Command[]) =>
  sent.flatMap((each) => (each.type === "approval.answer" ? [[each.nonce, each.answer.kind]] : []));

test("an answer counts for the question that was shown, and not for the next one of the same call", async () => {
  const { sent, tell, call } = session();
  const first = call();
  await tell(asked("one"));
  const shown = stateOf(await first);
  const next = call(shown, "approve");
  await tell({ type: "approval.answered", nonce: "one" }, asked("two"));
  const later = stateOf(await next);
  expect(later).not.toBe(shown);
  // The same answer once more: nobody has said anything of the second question.
  await expect(call(shown, "approve")).rejects.toMatchObject({ code: -32_602, message: "closed" });
  await expect(call("served-1", "approve")).rejects.toMatchObject({ code: -32_602 });
  expect(answers(sent)).toEqual([["one", "approve"]]);
  const last = call(later, "deny");
  await tell({ type: "turn.ended", stop: { text: "ended" } });
  expect(await last).toMatchObject({ reply: { content: [{ type: "text", text: "ended" }] } });
  expect(answers(sent)).toEqual([
    ["one", "approve"],
    ["two", "deny"],
  ]);
});

test("who sends an answer twice is told how the call ends, both times or that it is over", async () => {
  const { sent, tell, call } = session();
  const first = call();
  await tell(asked("one"));
  const shown = stateOf(await first);
  const both = [call(shown, "approve"), call(shown, "approve")];
  await tell({ type: "turn.ended", stop: { text: "ended" } });
  const texts = (await Promise.all(both)).map((each) => JSON.stringify(each));
  expect([texts.some((text) => text.includes("ended")), texts.every((text) => /ended|closed/.test(text))]).toEqual([
    true,
    true,
  ]);
  expect(answers(sent)).toEqual([["one", "approve"]]);
});

test("nobody goes on with a call by its name alone, and one that is given up before it begins ends", async () => {
  const { sent, tell, call } = session();
  const first = call();
  await tell(asked("one"));
  const shown = stateOf(await first);
  // The nonce of an approval is in the session's record: it is no secret of the client that began the call.
  const guesses = ["served-1", "served-1 ", "served-1 undefined", "served-1 one"];
  for (const guess of guesses) await expect(call(guess), guess).rejects.toMatchObject({ code: -32_602 });
  const next = call(shown, "approve");
  await tell({ type: "approval.answered", nonce: "one" });
  // No question is open now, and the call still runs.
  for (const guess of guesses) await expect(call(guess), guess).rejects.toMatchObject({ code: -32_602 });
  const gone = new AbortController();
  const waiting = call(undefined, undefined, gone.signal);
  gone.abort();
  expect(JSON.stringify(await waiting)).toContain("closed");
  await tell({ type: "turn.ended", stop: { text: "ended" } });
  expect(JSON.stringify(await next)).toContain("ended");
  expect(sent.filter(({ type }) => type === "tool.call")).toHaveLength(1);
});

test("what no client can be asked, or this one has not said that it can be, is refused at once", async () => {
  const { sent, tell, call } = session();
  const reply = call();
  const wishes = [
    ["tools/call", { name: "shell" }],
    ["toString", {}],
    ["roots/list", null],
    ["sampling/createMessage", { messages: [], maxTokens: 1, tools: [] }],
    ["elicitation/create", { mode: "url", url: "https://example.com" }],
  ] as const;
  await tell(...wishes.map(([method, params], at) => ({ type: "mcp.asked", id: String(at), method, params })));
  const refused = sent.flatMap((each) => (each.type === "question.answer" ? [[each.call, each.answer]] : []));
  expect(refused).toEqual(wishes.map((_wish, at) => [String(at), "null"]));
  await tell({ type: "mcp.asked", id: "known", method: "roots/list", params: {} });
  expect((await reply) as InputRequiredResult).toMatchObject({
    inputRequests: { asked: { method: "roots/list", params: {} } },
  });
});
