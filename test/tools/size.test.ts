import { expect, test } from "vitest";
import systemText from "../../src/engine/system.md";
import { bundledAgents } from "../../src/app/agents/bundled.ts";
import { agentTool } from "../../src/tools/agent.ts";
import { builtinTools } from "../../src/tools/builtin.ts";
import { findTools } from "../../src/tools/find-tools.ts";
import { mcp } from "../../src/tools/mcp.ts";
import { createRegistry } from "../../src/tools/registry.ts";
import { skillOutline } from "../../src/app/extensions/skills.ts";
import { skillTool } from "../../src/tools/skill.ts";

/** Fettle's own, as the first request names them. */
const agents = bundledAgents.map(({ name }) => ({ name, description: "" }));

/**
 * As src/app/agents/assembly.ts offers them: to list is what glob does, and some are only for a run that a person watches. Of the
 * two ways to change files a model is offered the one that it was trained on; `edit` is the larger.
 */
const unlisted = ["list", "job", "apply_patch"];
const forPeople = ["ask", "todo", "fetch"];

const asSent = (without = unlisted) =>
  createRegistry([...builtinTools.filter(({ name }) => !without.includes(name)), agentTool(agents)]).specs.map(
    ({ name, description, schema }) => ({
      type: "function",
      function: { name, description, parameters: schema },
    }),
  );

test("all tools together are small, as a chat-completions request sends them", () => {
  expect(Buffer.byteLength(JSON.stringify(asSent()))).toBeLessThanOrEqual(3800);
  // recall is offered once something was left out of the conversation.
  const alone = asSent([...unlisted, ...forPeople, "recall"]);
  expect(Buffer.byteLength(JSON.stringify(alone))).toBeLessThanOrEqual(2650);
});

test("the first request of a one-line prompt in an empty project has at most 1,300 tokens of 4 bytes", () => {
  const request = {
    model: "provider/some-model-name-20261121",
    messages: [
      { role: "system", content: `${systemText.trim()}\n\nWorkspace: /home/somebody/projects/example (linux)\n` },
      { role: "user", content: "Why does the login of the second user fail after a reload?" },
    ],
    tools: asSent([...unlisted, "recall"]),
    max_tokens: 8192,
    temperature: 0,
    stream: true,
    stream_options: { include_usage: true },
  };
  expect(Buffer.byteLength(systemText)).toBeLessThanOrEqual(1150);
  expect(Buffer.byteLength(JSON.stringify(request))).toBeLessThanOrEqual(4900);
});

test("the first request with everything on has at most 2,500 tokens of 4 bytes", () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_each, at) => ({
      name: `name-${at}`,
      description: "what it is good for ".repeat(40),
    }));
  const own = builtinTools.filter(({ name }) => ![...unlisted, "recall"].includes(name));
  const all = [...own, agentTool(many(50)), skillTool({ outline: skillOutline(many(300)), use: unused })];
  const tools = createRegistry(all).specs.map(({ name, description, schema }) => ({
    type: "function",
    function: { name, description, parameters: schema },
  }));
  // The tools of 142 servers' tools stand behind a search that has 500 tokens to itself.
  const request = { system: `${systemText.trim()}\n\nWorkspace: /home/somebody/projects/example (linux)\n`, tools };
  expect(Buffer.byteLength(JSON.stringify(request))).toBeLessThanOrEqual(4 * (2_500 - 500));
});

test("the tools of ten servers, however many they are, have at most 500 tokens of 4 bytes", () => {
  const names = Array.from({ length: 10 }, (_none, at) => `a-server-with-a-long-name-${at}`);
  const tools = createRegistry([findTools(names), mcp]).specs.map(({ name, description, schema }) => ({
    type: "function",
    function: { name, description, parameters: schema },
  }));
  expect(Buffer.byteLength(JSON.stringify(tools))).toBeLessThanOrEqual(4 * 500);
});

const unused = () => Promise.reject(new Error("nothing is used"));

test("the specs are the same bytes each time and name every parameter that they require", () => {
  expect(JSON.stringify(createRegistry(builtinTools).specs)).toBe(JSON.stringify(createRegistry(builtinTools).specs));
  for (const { name, description, schema } of createRegistry(builtinTools).specs) {
    expect(`${name}: ${description}`.length).toBeGreaterThan(30);
    expect(schema["type"]).toBe("object");
    const properties = Object.keys(schema["properties"] as object);
    for (const required of (schema["required"] ?? []) as string[]) expect(properties).toContain(required);
  }
});
