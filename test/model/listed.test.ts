// What servers list of their models is read and used where nobody has set it, and fettle's own list does not have it.
import fc from "fast-check";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { defaultSettings } from "../../src/io/config/settings.ts";
import { resolveArm } from "../../src/model/arms.ts";
import { modelList } from "../../src/model/contract/model-list.ts";
import { findingOf } from "../../src/model/registry/findings.ts";
import { listedFinding } from "../../src/model/registry/listed.ts";
import { ollamaProvider } from "../../src/model/providers/ollama.ts";

const servers: http.Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

interface Asked {
  method: string;
  path: string;
  body: string;
}

async function serve(answers: Record<string, unknown>) {
  const asked: Asked[] = [];
  const server = http.createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
    const path = incoming.url ?? "";
    asked.push({ method: incoming.method ?? "", path, body: Buffer.concat(chunks).toString() });
    const answer = answers[path];
    outgoing.writeHead(answer === undefined ? 404 : 200, { "content-type": "application/json" });
    outgoing.end(JSON.stringify(answer ?? { error: "not found" }));
  });
  servers.push(server);
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

test("OpenRouter's, Together's, Mistral's, vLLM's, llama.cpp's and Google's forms are understood", () => {
  const of = (...data: unknown[]) => modelList(JSON.stringify({ data }))?.map(({ id: _id, ...facts }) => facts);
  expect(
    of({
      id: "vendor/model",
      context_length: 400_000,
      pricing: { prompt: "0.00000125", completion: "0.00001", input_cache_read: "0.000000125", request: "0" },
      top_provider: { context_length: 400_000, max_completion_tokens: 128_000 },
      architecture: { input_modalities: ["text", "image"] },
      supported_parameters: ["tools", "reasoning", "max_tokens"],
    }),
  ).toEqual([
    {
      contextWindow: 400_000,
      maxOutput: 128_000,
      price: { input: 1.25, output: 10, cacheRead: 0.125 },
      capabilities: { tools: true, images: true, reasoning: true },
    },
  ]);
  expect(of({ id: "a/b", context_length: 32_768, pricing: { hourly: 0, input: 0.88, output: 0.9, base: 0 } })).toEqual([
    { contextWindow: 32_768, price: { input: 0.88, output: 0.9 } },
  ]);
  const can = { completion_chat: true, function_calling: true, vision: false, reasoning: true };
  expect(of({ id: "magistral", max_context_length: 131_072, capabilities: can })).toEqual([
    { contextWindow: 131_072, capabilities: { tools: true, images: false, reasoning: true } },
  ]);
  expect(of({ id: "q", max_model_len: 40_960 })).toEqual([{ contextWindow: 40_960 }]);
  expect(of({ id: "q", meta: { n_ctx_train: 131_072, n_ctx: 8_192 } })).toEqual([{ contextWindow: 8_192 }]);
  expect(of({ id: "q", inputTokenLimit: 1_048_576, outputTokenLimit: 65_536 })).toEqual([
    { contextWindow: 1_048_576, maxOutput: 65_536 },
  ]);
});

test("a price that varies, is missing, negative or no number is none; no list makes a broken price", () => {
  for (const pricing of [{ prompt: "-1", completion: "-1" }, { prompt: "1" }, { input: "x", output: 1 }, 3, null, {}])
    expect(modelList(JSON.stringify([{ id: "m", pricing }]))).toEqual([{ id: "m" }]);
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), (prompt, completion, window) => {
      const entry = {
        id: "m",
        context_length: window,
        pricing: { prompt, completion, input: prompt, output: completion },
      };
      const [model] = modelList(JSON.stringify([entry])) ?? [];
      const finding = listedFinding("m", model ? [model] : [], 1);
      expect(findingOf("m", { m: JSON.parse(JSON.stringify(finding)) })).toEqual(finding);
      for (const amount of Object.values(finding.price ?? {})) expect(amount).toBeGreaterThanOrEqual(0);
    }),
  );
});

test("a listed price is used where nobody has set one and the list of fettle has none; the source is told", async () => {
  const settings = defaultSettings();
  const listed = {
    at: Date.UTC(2026, 10, 22),
    price: { input: 1, output: 2 },
    maxOutput: 9_000,
    contextTokens: 50_000,
  };
  const names = ["openrouter/new/model", "openai/gpt-5.1"];
  const findings = Object.fromEntries(names.map((name) => [name, listed]));
  const env = { OPENROUTER_API_KEY: "k", OPENAI_API_KEY: "k" };
  expect(await resolveArm(names[0], settings, env, findings)).toMatchObject({
    price: { input: 1, output: 2, cacheRead: 1, from: "server", asOf: "2026-11-22" },
    ...{ contextWindow: 50_000, maxOutput: 9_000 },
  });
  expect((await resolveArm(names[1], settings, env, findings)).price).toMatchObject({
    input: 1.25,
    asOf: "2025-12-15",
  });
  settings.prices["openrouter/new/model"] = { input: 7, output: 8 };
  expect((await resolveArm(names[0], settings, env, findings)).price).toMatchObject({ input: 7, output: 8 });
});

test("LM Studio says in a list of its own how much a model reads", async () => {
  const { url } = await serve({
    "/v1/models": { data: [{ id: "qwen", object: "model" }] },
    "/api/v0/models": { data: [{ id: "qwen", max_context_length: 131_072, loaded_context_length: 16_384 }] },
  });
  const settings = defaultSettings();
  settings.providers["studio"] = { type: "openai-compatible", base_url: `${url}/v1` };
  const { provider } = await resolveArm("studio/qwen", settings, {});
  expect(await provider.models(AbortSignal.timeout(5_000))).toEqual([{ id: "qwen", contextWindow: 16_384 }]);
});

test("Ollama is asked to load the model with the window and for the time that the requests will have", async () => {
  const { url, asked } = await serve({ "/api/generate": { done: true } });
  const place = { name: "ollama", baseUrl: url, key: undefined, keyRemedy: "", headers: {}, local: true };
  const provider = ollamaProvider(place, { numCtx: 16_384, keepAlive: -1 });
  await provider.preload?.("qwen3:8b", AbortSignal.timeout(5_000));
  expect(asked).toMatchObject([{ method: "POST", path: "/api/generate" }]);
  expect(JSON.parse(asked[0]?.body ?? "")).toEqual({
    ...{ model: "qwen3:8b", stream: false, keep_alive: -1, options: { num_ctx: 16_384 } },
  });
  // One that does not answer is no problem yet.
  const gone = ollamaProvider({ ...place, baseUrl: "http://127.0.0.1:9" }, { numCtx: 1, keepAlive: -1 });
  await gone.preload?.("qwen3:8b", AbortSignal.timeout(5_000));
});
