// Reasoning effort on the wire: in each vendor's own form, never to a model that is not known to reason, recorded as sent.
import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import { defaultSettings, type ProviderType } from "../../src/io/config/settings.ts";
import { resolveArm } from "../../src/model/arms.ts";
import { effortsOf, fittingEffort } from "../../src/model/registry/efforts.ts";
import { sentWith } from "../../src/model/contract/sent.ts";
import type { Effort } from "../../src/protocol/effort.ts";
import { efforts } from "../../src/protocol/efforts.ts";
import { hear, modelRequest, scrub } from "../support/arms.ts";
import { type ModelServer, type Script, startModelServer } from "../support/model-server.ts";

const never = new AbortController().signal;
let server: ModelServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const paths: Partial<Record<ProviderType, string>> = { google: "/v1beta", ollama: "" };

async function ask(type: ProviderType, model: string, effort?: Effort, script: Script = [{ say: "ok" }]) {
  server ??= await startModelServer(script, { models: [model] });
  const settings = defaultSettings();
  const place = { base_url: `${server.url}${paths[type] ?? "/v1"}`, api_key_env: "KEY" };
  settings.providers["test"] = { type, ...place };
  const arm = await resolveArm(`test/${model}`, settings, { KEY: "k" });
  const request = modelRequest({ model, maxOutputTokens: 30_000, ...(effort && { effort }) });
  const token = scrub(request);
  await hear(arm.provider.stream(token, never));
  return { arm, sent: sentWith(token), body: server.requests.at(-1)?.body ?? {} };
}

const rows: [ProviderType, string, Effort, object][] = [
  ["anthropic", "claude-opus-4-6", "high", { thinking: { type: "adaptive" }, output_config: { effort: "high" } }],
  ["anthropic", "claude-opus-4-7", "xhigh", { output_config: { effort: "xhigh" } }],
  ["anthropic", "claude-sonnet-4-5", "low", { thinking: { type: "enabled", budget_tokens: 4096 }, max_tokens: 30_000 }],
  ["anthropic", "claude-sonnet-4-5", "off", { thinking: { type: "disabled" } }],
  ["openai", "gpt-5.1", "high", { reasoning: { effort: "high" } }],
  ["openai", "gpt-5.1", "off", { reasoning: { effort: "none" } }],
  ["openai", "gpt-5", "minimal", { reasoning: { effort: "minimal" } }],
  ["openai", "o4-mini", "low", { reasoning: { effort: "low" } }],
  ["openai-compatible", "gpt-oss-120b", "medium", { reasoning_effort: "medium" }],
  ["openai-compatible", "Qwen/Qwen3-32B", "off", { chat_template_kwargs: { enable_thinking: false } }],
  ["google", "gemini-3-pro-preview", "low", { generationConfig: { thinkingConfig: { thinkingLevel: "low" } } }],
  ["google", "gemini-2.5-flash", "off", { generationConfig: { thinkingConfig: { thinkingBudget: 0 } } }],
  ["google", "gemini-2.5-pro", "medium", { generationConfig: { thinkingConfig: { thinkingBudget: 10_240 } } }],
  ["ollama", "qwen3:8b", "high", { think: true }],
  ["ollama", "qwen3:8b", "off", { think: false }],
  ["ollama", "gpt-oss:20b", "low", { think: "low" }],
];

test.each(rows)("%s: %s is asked for %s in the vendor's form, and that is what is recorded", async (...row) => {
  const [type, model, effort, form] = row;
  const { body, sent, arm } = await ask(type, model, effort);
  expect(body).toMatchObject(form);
  expect(arm.efforts).toContain(effort);
  expect(sent?.effort).toBe(effort);
  const fields = JSON.stringify(body);
  for (const [name, value] of Object.entries(sent?.reasoning ?? {}))
    expect(fields).toContain(`"${name}":${JSON.stringify(value)}`);
});

test.each(["anthropic", "openai", "openai-compatible", "google", "ollama"] as const)(
  "%s: without a wish nothing is asked for, and the record says so",
  async (type) => {
    const { body, sent } = await ask(type, "some-model");
    expect(JSON.stringify(body)).not.toMatch(/reasoning|thinking|"think"|effort/);
    expect(sent).toEqual({ maxOutputTokens: 30_000, temperature: 0 });
  },
);

test("what the vendor's package leaves out is not recorded as sent", async () => {
  const { body, sent } = await ask("openai", "gpt-5.1", "high");
  expect(body).not.toHaveProperty("temperature");
  expect(sent).toEqual({ maxOutputTokens: 30_000, effort: "high", reasoning: { reasoning: { effort: "high" } } });
});

test("a server that refuses the parameter is asked without it, and the record says so", async () => {
  const refusal = { status: 400, say: "Unsupported parameter: 'reasoning_effort' is not supported with this model." };
  const { body, sent } = await ask("openai-compatible", "gpt-oss-x", "high", [refusal, { say: "ok" }]);
  expect(body).not.toHaveProperty("reasoning_effort");
  expect(sent).toEqual({ maxOutputTokens: 30_000, temperature: 0 });
});

test("thinking and answer together are no longer than what was allowed; where that is little, no thinking is asked for", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 600, max: 64_000 }),
      fc.constantFrom(...efforts.slice(1)),
      async (most, effort) => {
        server ??= await startModelServer(() => "ok");
        const settings = defaultSettings();
        settings.providers["test"] = { type: "anthropic", base_url: `${server.url}/v1`, api_key_env: "KEY" };
        const arm = await resolveArm("test/claude-sonnet-4-5", settings, { KEY: "k" });
        const request = modelRequest({ model: arm.model, maxOutputTokens: most, effort });
        await hear(arm.provider.stream(scrub(request), never));
        const body = server.requests.at(-1)?.body as { max_tokens: number; thinking?: { budget_tokens: number } };
        expect(body.max_tokens).toBe(most);
        const thinking = body.thinking?.budget_tokens;
        if (thinking !== undefined) expect(thinking).toBeGreaterThanOrEqual(1024);
        if (thinking !== undefined) expect(thinking).toBeLessThanOrEqual(most / 2);
      },
    ),
    { numRuns: 60 },
  );
});

test("a level is fitted to the nearest that is known, never to one that is not", () => {
  fc.assert(
    fc.property(fc.constantFrom(...efforts), fc.subarray([...efforts]), (wanted, known) => {
      const level = fittingEffort(wanted, known);
      if (known.length === 0) return level === undefined;
      return level !== undefined && known.includes(level) && (!known.includes(wanted) || level === wanted);
    }),
  );
});

test.each([
  ["openai", "gpt-4.1"],
  ["openai", "gpt-5.2-chat-latest"],
  ["anthropic", "claude-3-haiku-20240307"],
  ["google", "gemini-2.0-flash"],
  ["openai-compatible", "mixtral-8x7b"],
  ["ollama", "llama3.2:3b"],
] as const)("%s: %s is known not to reason, and has no levels", async (type, model) => {
  const settings = defaultSettings();
  server = await startModelServer([], { models: [model] });
  settings.providers["test"] = { type, base_url: `${server.url}${paths[type] ?? "/v1"}`, api_key_env: "KEY" };
  expect((await resolveArm(`test/${model}`, settings, { KEY: "k" })).efforts).toEqual([]);
});

test("servers that offer the models of many have a switch of their own", () => {
  const at = (baseUrl: string, model: string) =>
    effortsOf({ type: "openai-compatible", model, baseUrl, reasoning: true });
  expect(at("https://openrouter.ai/api/v1", "deepseek/deepseek-r1")).toContain("off");
  expect(at("https://openrouter.ai/api/v1", "openai/gpt-5")).not.toContain("off");
  expect(at("https://api.together.xyz/v1", "deepseek-ai/DeepSeek-V3.1")).toContain("off");
  expect(at("http://127.0.0.1:8000/v1", "deepseek-r1")).toEqual(["low", "medium", "high"]);
});
