import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { Fault } from "../../src/base/fault.ts";
import { defaultSettings, type Settings } from "../../src/io/config/settings.ts";
import { resolveArm } from "../../src/model/arms.ts";
import { hear, modelRequest, scrub } from "../support/arms.ts";
import { type ModelServer, startModelServer } from "../support/model-server.ts";
import { temporaryFolder } from "../support/folders.ts";

let server: ModelServer | undefined;
let folder = "";
const saved = process.env["XDG_CONFIG_HOME"];
beforeEach(() => {
  // The keychain's file must not be the one of whoever runs the tests.
  folder = temporaryFolder();
  process.env["XDG_CONFIG_HOME"] = folder;
});
afterEach(async () => {
  if (saved === undefined) delete process.env["XDG_CONFIG_HOME"];
  else process.env["XDG_CONFIG_HOME"] = saved;
  await server?.close();
  server = undefined;
});

/** No Ollama there, whatever runs on this machine. */
const nowhere = { OLLAMA_HOST: "127.0.0.1:1" };
const settings = (change: (settings: Settings) => void = () => undefined): Settings => {
  const all = defaultSettings();
  change(all);
  return all;
};
const faultOf = async (promise: Promise<unknown>): Promise<Fault> => {
  const error: unknown = await promise.then(
    (arm) => arm,
    (reason: unknown) => reason,
  );
  if (error instanceof Fault) return error;
  throw new Error(`no fault: ${JSON.stringify(error)}`);
};

test.each([
  [{ OPENAI_API_KEY: "k" }, "openai/gpt-5.1", "openai"],
  [{ OPENAI_API_KEY: "k", OPENAI_MODEL: "gpt-4.1" }, "openai/gpt-4.1", "openai"],
  [{ OPENAI_API_KEY: "k", OPENAI_BASE_URL: "https://api.openai.com/v1/" }, "openai/gpt-5.1", "openai"],
  [
    { OPENAI_API_KEY: "k", OPENAI_BASE_URL: "http://127.0.0.1:9/v1", OPENAI_MODEL: "bench-model" },
    "openai/bench-model",
    "chat:openai",
  ],
  [{ ANTHROPIC_API_KEY: "k" }, "anthropic/claude-sonnet-4-5", "anthropic"],
  [{ ANTHROPIC_API_KEY: "k", ANTHROPIC_MODEL: "claude-opus-4-5" }, "anthropic/claude-opus-4-5", "anthropic"],
  [{ GEMINI_API_KEY: "k" }, "google/gemini-2.5-pro", "google"],
  [{ GOOGLE_API_KEY: "k" }, "google/gemini-2.5-pro", "google"],
  [{ GOOGLE_GENERATIVE_AI_API_KEY: "k" }, "google/gemini-2.5-pro", "google"],
  [{ MISTRAL_API_KEY: "k" }, "mistral/devstral-medium-2507", "chat:mistral"],
  [{ OPENROUTER_API_KEY: "k", OPENROUTER_MODEL: "qwen/qwen3-coder" }, "openrouter/qwen/qwen3-coder", "chat:openrouter"],
  [
    { OPENAI_API_KEY: "k", ANTHROPIC_API_KEY: "k", ANTHROPIC_MODEL: "claude-haiku-4-5" },
    "anthropic/claude-haiku-4-5",
    "anthropic",
  ],
])("%j alone is enough: %s", async (env, name, vendor) => {
  const arm = await resolveArm(undefined, settings(), { ...nowhere, ...env });
  expect([arm.name, arm.provider.vendor]).toEqual([name, vendor]);
  expect((await resolveArm(arm.name, settings(), { ...nowhere, ...env })).name).toBe(arm.name);
  if (!name.startsWith("openrouter")) expect(arm.price).toBeDefined();
});

test("a flag goes before the configuration, which goes before the environment", async () => {
  const env = { ...nowhere, OPENAI_API_KEY: "k", OPENAI_MODEL: "gpt-4.1", ANTHROPIC_API_KEY: "k" };
  const own = settings((all) => {
    all.model.default = "anthropic/claude-haiku-4-5";
  });
  expect((await resolveArm("openai/o3", own, env)).name).toBe("openai/o3");
  expect((await resolveArm(undefined, own, env)).name).toBe("anthropic/claude-haiku-4-5");
  expect((await resolveArm(undefined, settings(), env)).name).toBe("openai/gpt-4.1");
});

test("a model may hold slashes, and need not name its provider", async () => {
  const env = { ...nowhere, OPENAI_BASE_URL: "http://127.0.0.1:9/v1", ANTHROPIC_API_KEY: "k", TOGETHER_API_KEY: "k" };
  const name = async (spec: string) => (await resolveArm(spec, settings(), env)).name;
  expect(await name("together/meta-llama/Llama-3-70b")).toBe("together/meta-llama/Llama-3-70b");
  expect(await name("meta-llama/Llama-3-70b")).toBe("openai/meta-llama/Llama-3-70b");
  expect(await name("claude-opus-4-5")).toBe("anthropic/claude-opus-4-5");
  expect(await name("anthropic")).toBe("anthropic/claude-sonnet-4-5");
});

test("a name whose first part is no provider goes to the server that lists it; else it says what there is", async () => {
  const other = await startModelServer([], { models: ["other/model"] });
  onTestFinished(() => other.close());
  server = await startModelServer([], { models: ["vendor/model"] });
  const two = settings((all) => {
    all.providers["one"] = { type: "openai-compatible", base_url: `${other.url}/v1` };
    all.providers["two"] = { type: "openai-compatible", base_url: `${server?.url}/v1` };
  });
  expect((await resolveArm("vendor/model", two, nowhere)).name).toBe("two/vendor/model");
  expect((await resolveArm("one/vendor/model", two, nowhere)).name).toBe("one/vendor/model");
  await expect(resolveArm("nope/model", two, nowhere)).rejects.toMatchObject({
    code: "model.unknown-provider",
    message: expect.stringMatching(/no provider "nope".*The list of one, two does not have it/),
    remedy: expect.stringMatching(/with one of: one, two, openai.*one\/nope\/model/s),
  });
});

test("a local server costs nothing and needs no key, and the request reaches it", async () => {
  server = await startModelServer(["hi"]);
  const env = { ...nowhere, OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_MODEL: "bench-model" };
  const arm = await resolveArm(undefined, settings(), env);
  expect(arm).toMatchObject({ model: "bench-model", price: { input: 0, output: 0 }, provider: { local: true } });
  await hear(arm.provider.stream(scrub(modelRequest({ model: arm.model })), new AbortController().signal));
  expect(server.requests[0]).toMatchObject({ format: "chat", body: { model: "bench-model" } });
});

test("a price that nobody knows is left open, a person's own goes before the table's", async () => {
  const env = { OPENROUTER_API_KEY: "k", OPENAI_API_KEY: "k" };
  expect((await resolveArm("openrouter/x/y", settings(), env)).price).toBeUndefined();
  const own = settings((all) => {
    all.prices["openrouter/x/y"] = { input: 1, output: 2 };
    all.prices["openai/o3"] = { input: 3, output: 4, cache_read: 0.5 };
  });
  expect((await resolveArm("openrouter/x/y", own, env)).price).toEqual({
    input: 1,
    output: 2,
    cacheRead: 1,
    cacheWrite: 1,
  });
  expect((await resolveArm("openai/o3", own, env)).price).toMatchObject({ input: 3, cacheRead: 0.5 });
});

test("providers of the configuration: type, address, key variable, default model", async () => {
  const own = settings((all) => {
    all.providers["work"] = {
      type: "anthropic",
      base_url: "https://llm.example.com/anthropic",
      api_key_env: "WORK_KEY",
      default_model: "claude-opus-4-5",
    };
  });
  const arm = await resolveArm(undefined, own, { ...nowhere, WORK_KEY: "k", OPENAI_API_KEY: "k" });
  expect([arm.name, arm.provider.vendor, arm.contextWindow]).toEqual(["work/claude-opus-4-5", "anthropic", 200_000]);
  const missing = await faultOf(resolveArm("work", own, nowhere));
  expect(missing).toMatchObject({ exit: 2, code: "model.no-key" });
  expect(missing.remedy).toContain("WORK_KEY");
});

test("a person says how large the window of a server is", async () => {
  const own = settings((all) => {
    all.providers["llama"] = { type: "openai-compatible", base_url: "http://127.0.0.1:9/v1", num_ctx: 8192 };
  });
  expect((await resolveArm("llama/any", own, nowhere)).contextWindow).toBe(8192);
});

test("nothing at all: one fault with three ways out", async ({ skip }) => {
  const unlistened = settings((all) => {
    all.providers["ollama"] = { type: "ollama", base_url: "http://127.0.0.1:1" };
  });
  expect(await faultOf(resolveArm(undefined, unlistened, {}))).toMatchObject({ exit: 2, code: "ollama.not-running" });
  const running = await fetch("http://127.0.0.1:11434/api/tags").catch(() => undefined);
  skip(running !== undefined, "an Ollama runs on this machine");
  const fault = await faultOf(resolveArm(undefined, settings(), {}));
  expect(fault).toMatchObject({ exit: 2, code: "model.none" });
  for (const way of ["ANTHROPIC_API_KEY", "fettle login", "ollama pull"]) expect(fault.remedy).toContain(way);
});

test.each([
  ["anthropic/claude-opus-4-5", "model.no-key", "ANTHROPIC_API_KEY"],
  ["google/gemini-2.5-pro", "model.no-key", "GEMINI_API_KEY"],
  ["openrouter", "model.unnamed", "--model openrouter/MODEL"],
  ["ollama/qwen3", "ollama.not-running", "ollama serve"],
])("%s without what it needs: %s", async (spec, code, remedy) => {
  const fault = await faultOf(resolveArm(spec, settings(), nowhere));
  expect(fault).toMatchObject({ exit: 2, code });
  expect(fault.remedy).toContain(remedy);
});

test("a model that nobody is known to have", async () => {
  const fault = await faultOf(resolveArm("nobody/nothing", settings(), {}));
  expect(fault).toMatchObject({ exit: 2, code: "model.unknown-provider" });
  expect(fault.remedy).toContain("anthropic");
});

test("Ollama is found by itself, with its first model, and a model that is not pulled is named", async () => {
  server = await startModelServer(["hi"], { models: ["qwen3:8b", "gpt-oss:20b"] });
  const env = { OLLAMA_HOST: server.url.replace("http://", "") };
  const own = settings((all) => {
    all.providers["box"] = { type: "ollama", base_url: server?.url ?? "", num_ctx: 32_768, keep_alive: "5m" };
  });
  expect(await resolveArm(undefined, settings(), env)).toMatchObject({
    name: "ollama/qwen3:8b",
    contextWindow: 16_384,
    price: { input: 0 },
  });
  const fault = await faultOf(resolveArm("ollama/llama3", settings(), env));
  expect(fault.message).toContain("qwen3:8b");
  expect(fault.remedy).toBe("Pull it with: ollama pull llama3");
  const arm = await resolveArm("box/gpt-oss:20b", own, nowhere);
  expect(arm.contextWindow).toBe(32_768);
  await hear(arm.provider.stream(scrub(modelRequest()), new AbortController().signal));
  expect(server.requests[0]?.body).toMatchObject({ keep_alive: "5m", options: { num_ctx: 32_768 } });
});

test("an Ollama that takes the connection and says nothing is given up", async () => {
  const silent = createServer();
  await once(silent.listen(0, "127.0.0.1"), "listening");
  await faultOf(
    resolveArm(undefined, settings(), { OLLAMA_HOST: `127.0.0.1:${(silent.address() as AddressInfo).port}` }),
  );
  silent.close();
});
