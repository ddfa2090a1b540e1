import { chmodSync, writeFileSync } from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { commandLineAgents } from "../../src/app/models/cards/command-line-agents.ts";
import { listModels } from "../../src/app/models/models.ts";
import { defaultSettings } from "../../src/io/config/settings.ts";
import { keepFindings, readFindings } from "../../src/io/store/findings.ts";
import { resolveArm } from "../../src/model/arms.ts";
import { endpoints, nearness } from "../../src/model/contract/endpoints.ts";
import type { Finding } from "../../src/model/contract/card.ts";
import { cardOf } from "../../src/model/registry/cards.ts";
import { likelyCapabilities } from "../../src/model/registry/likely.ts";
import { findingOf, keepLookedUp } from "../../src/model/registry/findings.ts";
import { temporaryFolder } from "../support/folders.ts";

/** An Ollama with one model that reads little and sees, and one that says nothing of itself. */
async function ollama(): Promise<string> {
  const server = http.createServer((incoming, outgoing) => {
    const answer = (body: unknown) =>
      outgoing.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
    if (incoming.url === "/api/tags") return answer({ models: [{ name: "seer:4b" }, { name: "quiet:8b" }] });
    let asked = "";
    incoming.on("data", (chunk) => (asked += chunk));
    incoming.on("end", () =>
      asked.includes("seer")
        ? answer({ model_info: { "gemma3.context_length": 8192 }, capabilities: ["completion", "vision"] })
        : outgoing.writeHead(404).end("{}"),
    );
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("Ollama's own words make the card, and what was found holds for the arm of the next session", async () => {
  const env = { OLLAMA_HOST: await ollama() };
  const settings = defaultSettings();
  const file = path.join(temporaryFolder(), "arms.json");
  const registry = {
    findings: {},
    pools: [],
    views: () => [],
    keep: (found: Record<string, Finding>) => keepLookedUp(file, found),
  };
  const rows = await listModels(settings, env, registry);
  const card = (model: string) => rows.find((row) => row.model === model)?.card;
  expect(card("ollama/seer:4b")).toMatchObject({
    kind: "local",
    contextTokens: 8_192,
    capabilities: { tools: false, images: true, reasoning: false },
    price: { input: 0, output: 0 },
    probedAt: null,
  });
  expect(card("ollama/quiet:8b")).toMatchObject({ contextTokens: 16_384, capabilities: { tools: true } });
  const arm = await resolveArm("ollama/seer:4b", settings, env, readFindings(file));
  expect(arm.contextWindow).toBe(8_192);
  expect((await resolveArm("ollama/seer:4b", settings, env)).contextWindow).toBe(16_384);
});

test("what was tried out stands against what is looked up later; a file that is no such file says nothing", () => {
  const file = path.join(temporaryFolder(), "arms.json");
  const tried = { tools: true, images: false, reasoning: true };
  keepFindings(file, { "a/b": { at: 5, capabilities: tried, probed: true } });
  keepLookedUp(file, {
    "a/b": { at: 9, contextTokens: 4_000, capabilities: { tools: false, images: true, reasoning: false } },
  });
  expect(findingOf("a/b", readFindings(file))).toEqual({
    at: 5,
    contextTokens: 4_000,
    capabilities: tried,
    probed: true,
  });
  for (const content of ["", "{", "null", "[]", '{"version":2,"arms":{"a/b":{"at":1}}}', '{"version":1,"arms":7}']) {
    writeFileSync(file, content);
    expect(findingOf("a/b", readFindings(file)), content).toBeUndefined();
  }
  writeFileSync(
    file,
    '{"version":1,"arms":{"a/b":{"at":1,"contextTokens":-4,"capabilities":{"tools":"yes"}},"c":null}}',
  );
  expect([findingOf("a/b", readFindings(file)), findingOf("c", readFindings(file))]).toEqual([{ at: 1 }, undefined]);
});

test("a card holds what a person set before what is known, and the pools that it draws from", () => {
  const settings = defaultSettings();
  settings.prices["box/m"] = { input: 1, output: 2 };
  settings.providers["box"] = { type: "openai-compatible", base_url: "http://127.0.0.1:9/v1", num_ctx: 32_000 };
  settings.providers["constructor"] = { type: "openai" };
  const all = endpoints(settings, {});
  const [box, anthropic] = [all.get("box"), all.get("anthropic")];
  if (!box || !anthropic) throw new Error("both are there");
  expect(all.get("constructor")).toMatchObject({ keyVariables: ["OPENAI_API_KEY"], needsKey: true });
  const pools = [{ name: "p", limits: { arms: ["box/*"], rpm: 1 } }];
  expect(cardOf(box, "m", { settings, pools, finding: { at: 1, contextTokens: 8_000 } })).toMatchObject({
    kind: "local",
    contextTokens: 32_000,
    price: { input: 1, output: 2 },
    pools: ["p"],
  });
  expect(cardOf(anthropic, "claude-sonnet-4-5", { settings, pools })).toMatchObject({
    kind: "api",
    contextTokens: 200_000,
    price: { input: 3 },
    pools: [],
  });
  expect(likelyCapabilities("openai-compatible", "llava:7b")).toEqual({ tools: false, images: true, reasoning: false });
});

test("command-line agents are found on PATH, as what they are, and nothing is run", () => {
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, "codex"), "#!/bin/sh\nexit 1\n");
  writeFileSync(path.join(folder, "gemini"), "not a program");
  chmodSync(path.join(folder, "codex"), 0o755);
  expect(commandLineAgents({ PATH: `relative:${folder}:/nowhere` })).toMatchObject([
    { model: "cli/codex", status: "found", detail: `Codex, ${folder}/codex; --model codex`, card: { kind: "cli" } },
  ]);
});

test("near is this machine, and what a person names in any spelling; the private network costs nothing and is not near", () => {
  for (const url of ["http://127.0.0.1:9/v1", "http://localhost:11434", "http://[::1]:1/", "http://2130706433/v1"])
    expect(nearness(url, [])).toBe("here");
  for (const url of [
    "http://192.168.1.5/v1",
    "http://10.0.0.1",
    "http://box.local",
    "http://[fe80::1]/",
    "http://[fd00::1]/",
  ])
    expect([url, nearness(url, ["192.168.1.50", "168.1.5", "1", "*", ""])]).toEqual([url, "network"]);
  for (const url of ["https://api.openai.com/v1", "http://8.8.8.8", "no url"]) expect(nearness(url, [])).toBe("away");
  expect(nearness("http://192.168.1.5/v1", ["0xc0.0xa8.1.5"])).toBe("here");
  expect(nearness("http://[fd00:0::1]:8/", ["fd00::1"])).toBe("here");
  expect(nearness("http://Box.Local", [" box.local "])).toBe("here");
  const settings = defaultSettings();
  settings.providers["box"] = { type: "openai-compatible", base_url: "http://10.0.0.7:9/v1" };
  const box = endpoints(settings, {}).get("box");
  expect(box && cardOf(box, "m", { settings, pools: [] })).toMatchObject({
    kind: "api",
    price: { input: 0, output: 0 },
  });
});
