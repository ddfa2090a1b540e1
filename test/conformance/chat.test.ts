// What servers of the chat-completions format do beyond and against its documentation.
import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import { CallPieces, type ChatCallPiece } from "../../src/model/native/call-pieces.ts";
import { openaiCompatibleProvider } from "../../src/model/providers/openai-compatible.ts";
import type { AssistantContent, Message } from "../../src/protocol/message.ts";
import { hear, modelRequest, scrub } from "../support/arms.ts";
import { type RawServer, startRawServer } from "../support/raw-server.ts";

const never = new AbortController().signal;
let server: RawServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const chunk = (delta: object, more: object = {}) => ({ choices: [{ index: 0, delta, ...more }] });
const stop = (reason = "stop") => chunk({}, { finish_reason: reason });
const sse = (chunks: object[], newline = "\n") =>
  [...chunks.map((each) => JSON.stringify(each)), "[DONE]"].map((data) => `data: ${data}${newline}${newline}`).join("");

async function answered(body: string, options: { type?: string; messages?: Message[]; callId?: RegExp } = {}) {
  server = await startRawServer((_request, response) =>
    response.writeHead(200, { "content-type": options.type ?? "text/event-stream" }).end(body),
  );
  const connection = {
    name: "x",
    baseUrl: `${server.url}/v1`,
    key: undefined,
    keyRemedy: "",
    headers: {},
    local: true,
  };
  const provider = openaiCompatibleProvider(connection, options.callId);
  const request = modelRequest(options.messages ? { messages: options.messages } : {});
  return hear(provider.stream(scrub(request), never));
}

test.each(["reasoning", "reasoning_content"])("thoughts in `%s` go back in the same field", async (field) => {
  const { end, reasoning } = await answered(
    sse([chunk({ [field]: "I " }), chunk({ [field]: "think" }), chunk({ content: "so" }), stop()]),
  );
  expect(reasoning).toBe("I think");
  await server?.close();
  await answered(sse([stop()]), { messages: [{ role: "assistant", vendor: "chat:x", content: end.content }] });
  expect(JSON.parse(server?.seen[0]?.body ?? "").messages[1]).toEqual({
    role: "assistant",
    content: "so",
    [field]: "I think",
  });
});

test("reasoning details are joined, kept and sent back unchanged, also without any visible thought", async () => {
  const detail = (more: object) =>
    chunk({ reasoning_details: [{ type: "reasoning.text", index: 0, format: "f", ...more }] });
  const encrypted = { type: "reasoning.encrypted", data: "zzz==", index: 1 };
  const { end } = await answered(
    sse([
      detail({ text: "I " }),
      detail({ text: "think", signature: null }),
      detail({ signature: "sig==" }),
      chunk({ reasoning_details: [encrypted] }),
      chunk({ content: "so" }),
      stop(),
    ]),
  );
  await server?.close();
  const content = JSON.parse(JSON.stringify(end.content)) as AssistantContent[];
  await answered(sse([stop()]), { messages: [{ role: "assistant", vendor: "chat:x", content }] });
  expect(JSON.parse(server?.seen[0]?.body ?? "").messages[1]).toEqual({
    role: "assistant",
    content: "so",
    reasoning_details: [
      { type: "reasoning.text", index: 0, format: "f", text: "I think", signature: "sig==" },
      encrypted,
    ],
  });
});

test("Gemini's signature beside a call goes back beside the call", async () => {
  const extra = { google: { thought_signature: "c2ln" } };
  const call = {
    index: 0,
    id: "a",
    type: "function",
    function: { name: "shell", arguments: "{}" },
    extra_content: extra,
  };
  const { end } = await answered(sse([chunk({ tool_calls: [call] }), stop()]));
  await server?.close();
  await answered(sse([stop()]), { messages: [{ role: "assistant", vendor: "chat:x", content: end.content }] });
  expect(JSON.parse(server?.seen[0]?.body ?? "").messages[1].tool_calls[0].extra_content).toEqual(extra);
});

test("an answer that is not streamed is an answer", async () => {
  const call = { id: "a", type: "function", function: { name: "shell", arguments: '{"command":"ls"}' } };
  const message = { role: "assistant", content: "Let me see", reasoning_content: "Hm", tool_calls: [call] };
  const body = {
    choices: [{ index: 0, message, finish_reason: "tool_calls" }],
    usage: { prompt_tokens: 3, completion_tokens: 4 },
  };
  const { end, text } = await answered(JSON.stringify(body), { type: "application/json; charset=utf-8" });
  expect([text, end.finish, end.usage.input]).toEqual(["Let me see", "calls", 3]);
  expect(end.content).toMatchObject([
    { type: "reasoning" },
    { type: "text" },
    { type: "call", input: { command: "ls" } },
  ]);
});

test("content in parts, carriage returns, comments, and usage beside the last chunk", async () => {
  const parts = [
    { type: "thinking", thinking: [{ type: "text", text: "Hm" }] },
    { type: "text", text: "Hi" },
  ];
  const body = `: keep-alive\r\n\r\n${sse([chunk({ content: parts }), { ...stop(), usage: { prompt_tokens: 5 } }], "\r\n")}`;
  const { end, text, reasoning } = await answered(body);
  expect([text, reasoning, end.finish, end.usage.input]).toEqual(["Hi", "Hm", "stop", 5]);
});

test("a refusal ends as filter, an invented reason as stop, an error as error", async () => {
  const finishOf = async (...chunks: object[]) => {
    const { end } = await answered(sse(chunks));
    await server?.close();
    return end.finish;
  };
  expect(await finishOf(chunk({ refusal: "I cannot" }), stop())).toBe("filter");
  expect(await finishOf(chunk({ content: "Hi" }), stop("eos"))).toBe("stop");
  expect(await finishOf(chunk({ content: "Hi" }), stop("constructor"))).toBe("stop");
  expect(await finishOf(chunk({ content: "Hi" }), stop("network_error"))).toBe("error");
});

test("ids that a server does not take are replaced, the same for call and result", async () => {
  const messages: Message[] = [
    { role: "assistant", vendor: "x", content: [{ type: "call", id: "toolu_012345", name: "shell", input: {} }] },
    { role: "tool", content: [{ type: "result", call: "toolu_012345", name: "shell", failed: false, parts: [] }] },
  ];
  await answered(sse([stop()]), { messages, callId: /^[a-zA-Z0-9]{9}$/ });
  const [, call, result] = JSON.parse(server?.seen[0]?.body ?? "").messages;
  expect(call.tool_calls[0].id).toMatch(/^[a-zA-Z0-9]{9}$/);
  expect(result.tool_call_id).toBe(call.tool_calls[0].id);
});

const calls = fc.uniqueArray(
  fc.record({
    id: fc.uuid(),
    name: fc.constantFrom("shell", "read", "edit"),
    text: fc.dictionary(fc.string(), fc.string(), { maxKeys: 3 }).map((input) => JSON.stringify(input)),
  }),
  { minLength: 1, maxLength: 4, selector: ({ id }) => id },
);
const cut = (text: string, size: number): string[] => text.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];

test.each([
  ["number and id first, pieces by number", (id, index) => [{ index, id }, { index }]],
  [
    "number and id in every piece",
    (id, index) => [
      { index, id },
      { index, id },
    ],
  ],
  ["ids only", (id) => [{ id }, { id }]],
  ["an id first, then nothing", (id) => [{ id }, {}]],
] satisfies [string, (id: string, index: number) => [ChatCallPiece, ChatCallPiece]][])(
  "calls are put together: %s",
  (_name, marks) => {
    fc.assert(
      fc.property(calls, fc.integer({ min: 1, max: 9 }), (wanted, size) => {
        const pieces = new CallPieces();
        for (const [index, { id, name, text }] of wanted.entries()) {
          const [first, next] = marks(id, index);
          pieces.add({ ...first, function: { name, arguments: "" } });
          for (const part of cut(text, size)) pieces.add({ ...next, function: { arguments: part } });
        }
        expect(pieces.complete).toBe(true);
        expect(pieces.all().map(({ id, name, text }) => ({ id, name, text }))).toEqual(wanted);
      }),
    );
  },
);

test("calls that are interleaved by number, all numbered 0, or without any mark", () => {
  const gathered = (...added: ChatCallPiece[]) => {
    const pieces = new CallPieces();
    for (const piece of added) pieces.add(piece);
    return pieces.all().map(({ name, text }) => [name, text]);
  };
  const fn = (name?: string, text?: string) => ({
    function: { ...(name ? { name } : {}), ...(text ? { arguments: text } : {}) },
  });
  expect(
    gathered(
      { index: 0, id: "a", ...fn("x") },
      { index: 1, id: "b", ...fn("y") },
      { index: 0, ...fn("", "{}") },
      { index: 1, ...fn("", "[]") },
    ),
  ).toEqual([
    ["x", "{}"],
    ["y", "[]"],
  ]);
  expect(gathered({ index: 0, id: "a", ...fn("x", "{}") }, { index: 0, id: "b", ...fn("y", "[]") })).toEqual([
    ["x", "{}"],
    ["y", "[]"],
  ]);
  expect(gathered(fn("x", "{"), fn("", "}"), fn("y", "{}"))).toEqual([
    ["x", "{}"],
    ["y", "{}"],
  ]);
  expect(gathered({ index: 0, function: { name: "x", arguments: { a: 1 } } })).toEqual([["x", '{"a":1}']]);
  const ids = new CallPieces();
  ids.add(fn("x"));
  ids.add(fn("y"));
  const [first, second] = ids.all();
  expect(first?.id).toMatch(/^call_\w{20}$/);
  expect(first?.id).not.toBe(second?.id);
});
