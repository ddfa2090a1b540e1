import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { doctor, type DoctorContext } from "../../../src/app/door/queries/doctor.ts";
import { removeLogin, setLogin } from "../../../src/app/program/login.ts";
import { listModels } from "../../../src/app/models/models.ts";
import { defaultSettings } from "../../../src/io/config/settings.ts";
import { projectPlaces } from "../../../src/io/places/places.ts";
import { world } from "./support.ts";

const root = path.resolve(import.meta.dirname, "../../..");

async function server(
  answer: (url: string, authorization: string | undefined) => [number, unknown] | undefined,
): Promise<string> {
  const listening = http.createServer((request, response) => {
    const reply = answer(request.url ?? "", request.headers.authorization);
    if (!reply) return;
    response.writeHead(reply[0], { "content-type": "application/json" }).end(JSON.stringify(reply[1]));
  });
  await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    listening.closeAllConnections();
    listening.close();
  });
  return `http://127.0.0.1:${(listening.address() as AddressInfo).port}`;
}

const nowhere = { OLLAMA_HOST: "127.0.0.1:9" };
const settingsWith = (providers: ReturnType<typeof defaultSettings>["providers"], model?: string) => ({
  ...defaultSettings(),
  providers,
  model: { ...defaultSettings().model, ...(model && { default: model }) },
});

test("models: what is reachable, what lacks a key and how to get it", async () => {
  const url = await server((path, authorization) => {
    if (path.startsWith("/ollama/api/tags")) return [200, { models: [{ name: "qwen3:8b" }, { name: "gemma3:4b" }] }];
    if (authorization !== "Bearer right") return [401, { error: { message: "wrong key" } }];
    return [200, { data: [{ id: "tiny" }, { id: "large" }] }];
  });
  const box = { type: "openai-compatible", base_url: `${url}/v1` } as const;
  const rows = await listModels(
    settingsWith(
      {
        box: { ...box, api_key_env: "BOX_KEY", default_model: "tiny" },
        other: { ...box, api_key_env: "BOX_KEY", default_model: "huge" },
        wrong: { ...box, api_key_env: "WRONG_KEY", default_model: "tiny" },
        keyless: { ...box, api_key_env: "NO_SUCH_KEY", default_model: "tiny" },
      },
      "box/large",
    ),
    { BOX_KEY: "right", WRONG_KEY: "bad", OLLAMA_HOST: `${url}/ollama` },
  );
  const row = (model: string) => rows.find((candidate) => candidate.model === model);
  expect(rows[0]).toMatchObject({ model: "box/large", status: "ready", default: true });
  expect(row("other/huge")).toMatchObject({ status: "not-found", remedy: expect.stringContaining("tiny") });
  expect(row("wrong/tiny")).toMatchObject({
    status: "no-key",
    detail: "the key is refused",
    remedy: expect.stringContaining("WRONG_KEY"),
  });
  expect(row("keyless/tiny")).toMatchObject({ status: "no-key", remedy: expect.stringContaining("NO_SUCH_KEY") });
  expect(row("ollama/qwen3:8b")).toMatchObject({ status: "ready", local: true });
  expect(row("ollama/gemma3:4b")).toBeDefined();
  expect(row("anthropic/claude-sonnet-4-5")).toMatchObject({
    status: "no-key",
    remedy: expect.stringContaining("ANTHROPIC_API_KEY"),
  });
});

test("models: a server that never answers is given up after two seconds", async () => {
  const url = await server(() => undefined);
  const providers = { slow: { type: "openai-compatible", base_url: url, default_model: "m" } } as const;
  const rows = await listModels(settingsWith(providers, "slow/m"), nowhere);
  expect(rows[0]).toMatchObject({ model: "slow/m", status: "unreachable", default: true });
  expect(rows.find((row) => row.provider === "ollama")).toMatchObject({
    status: "unreachable",
    remedy: "ollama serve",
  });
});

function healthy(): { context: DoctorContext; world: ReturnType<typeof world> } {
  const w = world();
  const { places } = w.options;
  const project = projectPlaces(places, w.options.workspace);
  mkdirSync(project.root, { recursive: true, mode: 0o700 });
  chmodSync(places.state, 0o700);
  return {
    world: w,
    context: {
      config: w.load,
      places,
      project,
      installation: root,
      node: process.versions.node,
      sandbox: () => ({ name: "bubblewrap", detail: "/usr/bin/bwrap" }),
      layers: () => ({ layers: "there" }),
      models: async () => [{ model: "a/b", provider: "a", status: "ready", detail: "", default: true, local: false }],
      verifyLedger: async () => ({
        ok: true,
        entries: 3,
        segments: 1,
        head: "0123456789abcdef",
        signature: "verified",
        guarantee: "",
      }),
    },
  };
}

test("doctor: a healthy machine has no problem", async () => {
  const { context } = healthy();
  const found = await doctor(context);
  expect(found.filter((check) => check.status !== "ok")).toEqual([]);
  expect(found.map((check) => check.name)).toEqual([
    "node",
    "git",
    "sandbox",
    "layers",
    "limits",
    "ripgrep",
    "configuration",
    "models",
    "keychain",
    "state folder",
    "ledger",
  ]);
});

test("doctor: says which limits hold for a command and who keeps them, and what is experimental", async () => {
  const { context, world: w } = healthy();
  w.file("user", "[sandbox]\nmemory_mb = 1234\nprocesses = 77\nfile_mb = 0\ncgroup = 'off'\n");
  const seatbelt = () => ({ name: "seatbelt" as const, detail: "sandbox-exec", experimental: true as const });
  const found = await doctor({ ...context, sandbox: seatbelt });
  expect(found.find(({ name }) => name === "limits")).toMatchObject({
    status: "ok",
    detail: expect.stringMatching(/^1234 MB of memory, 77 processes.*watched by fettle.*files of any size/),
  });
  expect(found.find(({ name }) => name === "sandbox")).toMatchObject({
    status: "warning",
    detail: expect.stringContaining("experimental"),
  });
  w.file("user", "[sandbox]\nprocesses = 'many'\n");
  expect((await doctor(context)).find(({ name }) => name === "limits")?.status).toBe("warning");
});

test("doctor: each problem is told with a remedy", async () => {
  const { context, world: w } = healthy();
  chmodSync(context.project.root, 0o755);
  w.file("project", "[sandbox]\nenabled = false\n");
  const found = await doctor({
    ...context,
    node: "20.19.0",
    sandbox: () => ({ name: "none", detail: "bwrap is missing", remedy: "apt-get install bubblewrap" }),
    layers: () => ({ why: "the sandbox has none" }),
    models: async () => [
      { model: "a/b", provider: "a", status: "no-key", detail: "no key", remedy: "Set A", default: true, local: false },
    ],
    verifyLedger: async () => ({
      ok: false,
      entries: 3,
      segments: 1,
      head: "",
      problem: "Entry 2 was changed.",
      signature: "bad",
      guarantee: "",
    }),
  });
  const bad = found.filter((check) => check.status !== "ok");
  expect(bad.map((check) => check.name)).toEqual([
    "node",
    "sandbox",
    "layers",
    "models",
    "state folder",
    "ledger",
    "configuration",
  ]);
  for (const check of bad.slice(0, -1)) expect(check.remedy, check.name).toBeTruthy();
  expect(bad.find((check) => check.name === "sandbox")?.remedy).toBe("apt-get install bubblewrap");
  expect(bad.at(-1)?.detail).toContain("sandbox.enabled");
});

test("doctor: a broken configuration is a finding, not the end", async () => {
  const { context, world: w } = healthy();
  w.file("user", "[model]\ndefualt = 1\n");
  const found = await doctor(context);
  expect(found.find((check) => check.name === "configuration")).toMatchObject({
    status: "error",
    detail: expect.stringMatching(/config\.toml:2: unknown key model\.defualt/),
  });
  expect(found.find((check) => check.name === "git")?.status).toBe("ok");
  // The checks that need the configuration say so, and do not repeat what is wrong with it.
  const broken = () => {
    context.config();
    throw new Error("never");
  };
  const all = await doctor({ ...context, sandbox: broken, layers: broken, models: broken });
  expect(all.filter(({ detail }) => detail.includes("defualt"))).toHaveLength(1);
  expect(all.find(({ name }) => name === "sandbox")).toMatchObject({
    status: "warning",
    detail: "Not known while the configuration is broken.",
  });
});

test("login: only providers that take a key, and only something that can be one", async () => {
  const w = world();
  w.file("user", '[providers.box]\ntype = "openai-compatible"\nbase_url = "http://localhost/v1"\n');
  const program = { config: w.load, env: {} };
  await expect(setLogin(program, "anthropci", "key", { plainFile: false })).rejects.toThrow(/did you mean anthropic/);
  await expect(setLogin(program, "ollama", "key", { plainFile: false })).rejects.toThrow(/needs no key/);
  await expect(setLogin(program, "box", " ", { plainFile: false })).rejects.toThrow(/no key/);
  await expect(setLogin(program, "box", "two words", { plainFile: false })).rejects.toThrow(/no key/);
  await expect(removeLogin(program, "nobody")).rejects.toThrow(/no provider called nobody/);
});

test("login: the key is kept where the provider looks for it, and gone after removal", async () => {
  const w = world();
  const before = { home: process.env["HOME"], config: process.env["XDG_CONFIG_HOME"] };
  process.env["HOME"] = path.join(w.root, "home");
  process.env["XDG_CONFIG_HOME"] = path.join(w.root, "home/.config");
  onTestFinished(() => {
    for (const [name, value] of [
      ["HOME", before.home],
      ["XDG_CONFIG_HOME", before.config],
    ] as const) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  });
  mkdirSync(path.join(w.root, "home/.config/fettle"), { recursive: true });
  writeFileSync(path.join(w.root, "home/.config/fettle/credentials.json"), "{}\n", { mode: 0o600 });
  const url = await server((_path, authorization) => [
    authorization === "Bearer stored-key" ? 200 : 401,
    { data: [{ id: "m" }] },
  ]);
  const providers = {
    box: { type: "openai-compatible", base_url: url, api_key_env: "BOX_KEY", default_model: "m" },
  } as const;
  const program = { config: () => ({ ...w.load(), settings: settingsWith(providers, "box/m") }), env: {} };
  const status = async () => (await listModels(settingsWith(providers, "box/m"), nowhere))[0]?.status;
  expect(await status()).toBe("no-key");
  await setLogin(program, "box", "stored-key\n", { plainFile: true });
  expect(await status()).toBe("ready");
  await removeLogin(program, "box");
  expect(await status()).toBe("no-key");
});
