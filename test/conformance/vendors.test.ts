// What holds for one vendor only.
import { afterEach, expect, test } from "vitest";
import type { Message } from "../../src/protocol/message.ts";
import { armAt, hear, modelRequest, scrub, type Vendor, vendors } from "../support/arms.ts";
import { type ModelServer, type Script, type Step, startModelServer } from "../support/model-server.ts";

const never = new AbortController().signal;
const user = (text: string): Message => ({ role: "user", content: [{ type: "text", text }] });
const result = (call: string, text: string): Message => ({
  role: "tool",
  content: [{ type: "result", call, name: "shell", failed: false, parts: [{ type: "text", text }] }],
});

let server: ModelServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function ask(vendor: Vendor, script: Script, messages: Message[] = [user("Hello")]) {
  server ??= await startModelServer(script);
  const arm = await armAt(server.url, vendor);
  return { arm, stream: arm.provider.stream(scrub(modelRequest({ messages })), never) };
}

test("anthropic: redacted thinking goes back unchanged", async () => {
  const { stream, arm } = await ask(vendors[0], [{ redacted: "b3BhcXVl", say: "Hi" }, { say: "ok" }]);
  const { end } = await hear(stream);
  const messages: Message[] = [
    user("Hello"),
    { role: "assistant", vendor: arm.provider.vendor, content: end.content },
    user("And?"),
  ];
  await hear(arm.provider.stream(scrub(modelRequest({ messages })), never));
  expect(server?.requests[1]?.raw).toContain('{"type":"redacted_thinking","data":"b3BhcXVl"}');
});

test("anthropic: the prefix and the last two messages are marked for caching, at most four marks", async () => {
  const messages: Message[] = [
    user("1"),
    { role: "assistant", vendor: "x", content: [{ type: "text", text: "2" }] },
    user("3"),
    { role: "assistant", vendor: "x", content: [{ type: "text", text: "4" }] },
    user("5"),
  ];
  const { stream } = await ask(vendors[0], [{ say: "ok" }], messages);
  await hear(stream);
  const body = server?.requests[0]?.body as { system: object[]; tools: object[]; messages: { content: object[] }[] };
  const mark = { cache_control: { type: "ephemeral" } };
  expect(body.system.at(-1)).toMatchObject(mark);
  expect(body.tools.at(-1)).toMatchObject(mark);
  expect(body.messages.map(({ content }) => JSON.stringify(content).includes("cache_control"))).toEqual([
    false,
    false,
    true,
    false,
    true,
  ]);
  expect(server?.requests[0]?.raw.match(/cache_control/g)).toHaveLength(4);
});

test("google: the signature of a call goes back unchanged", async () => {
  const calls = [{ name: "shell", input: { command: "ls" }, signature: "Q0FMTA==" }];
  const { stream, arm } = await ask(vendors[2], [{ calls }, { say: "ok" }]);
  const { end } = await hear(stream);
  const [call] = end.content;
  const messages: Message[] = [
    user("Hello"),
    { role: "assistant", vendor: arm.provider.vendor, content: end.content },
    result(call?.type === "call" ? call.id : "", "a.txt"),
  ];
  await hear(arm.provider.stream(scrub(modelRequest({ messages })), never));
  expect(server?.requests[1]?.raw).toContain('"thoughtSignature":"Q0FMTA=="');
});

test("openai: nothing is stored, and encrypted reasoning goes back unchanged", async () => {
  server = await startModelServer([
    {
      reasoning: "Hm.",
      signature: "gAAAencrypted==",
      calls: [{ id: "call_a", name: "shell", input: { command: "ls" } }],
    },
    "ok",
  ]);
  const arm = await armAt(server.url, vendors[1]);
  const ask = (messages: Message[]) =>
    hear(arm.provider.stream(scrub(modelRequest({ model: "gpt-5.1", messages })), never));
  const { end } = await ask([user("Hello")]);
  await ask([
    user("Hello"),
    { role: "assistant", vendor: arm.provider.vendor, content: end.content },
    result("call_a", "a.txt"),
  ]);
  expect(server.requests[0]?.body).toMatchObject({ store: false, include: ["reasoning.encrypted_content"] });
  expect(server.requests[0]?.body["tools"]).toMatchObject([{ strict: false }, { strict: false }]);
  expect(server.requests[1]?.raw).toContain('"encrypted_content":"gAAAencrypted=="');
  expect(server.requests[1]?.raw).toContain('"summary":[{"type":"summary_text","text":"Hm."}]');
});

test("openai-compatible: a whole answer without a stop reason counts", async () => {
  const { stream } = await ask(vendors[3], [{ say: "all of it", finish: "none" }]);
  expect((await hear(stream)).end).toMatchObject({ finish: "stop", content: [{ text: "all of it" }] });
});

test("openai-compatible: a refused parameter is left out from then on", async () => {
  const refuse = (message: string): Step => ({ status: 400, say: message });
  const { stream, arm } = await ask(vendors[3], [
    refuse("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
    refuse("Unsupported value: 'temperature' does not support 0 with this model."),
    { say: "ok" },
    { say: "again" },
  ]);
  expect((await hear(stream)).text).toBe("ok");
  await hear(arm.provider.stream(scrub(modelRequest()), never));
  const last = server?.requests[3]?.body;
  expect(last).toMatchObject({ max_completion_tokens: 500 });
  expect(Object.keys(last ?? {})).not.toContain("temperature");
  expect(server?.requests).toHaveLength(4);
});

test("ollama: the window, the keep-alive and the refusal to truncate are in every request", async () => {
  const { stream } = await ask(vendors[4], [{ say: "ok" }]);
  await hear(stream);
  expect(server?.requests[0]?.body).toMatchObject({
    keep_alive: -1,
    truncate: false,
    options: { num_ctx: 16_384, num_predict: 500, temperature: 0 },
  });
});

test("keys travel in the header that the vendor reads, and nowhere else", async () => {
  const headers = ["x-api-key", "authorization", "x-goog-api-key", "authorization"];
  server = await startModelServer(() => "ok");
  for (const [index, vendor] of vendors.slice(0, 4).entries()) {
    const arm = await armAt(server.url, vendor);
    await hear(arm.provider.stream(scrub(modelRequest()), never));
    const { headers: sent = {}, path = "", raw = "" } = server.requests.at(-1) ?? {};
    expect(sent[headers[index] ?? ""]).toMatch(/^(Bearer )?k-123$/);
    expect(path + raw).not.toContain("k-123");
  }
});
