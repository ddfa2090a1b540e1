// After a crash: what was begun is unknown, what was not is not run, and nothing is done twice.
import { expect, test } from "vitest";
import type { Fact } from "../../src/protocol/event.ts";
import { noUsage } from "../../src/protocol/usage.ts";
import { messagesOf, resultsOf, shell } from "../scenarios/scene.ts";
import { makeWorld, type Opened, prompt } from "./world.ts";

const decision = { verdict: "allow" as const, risk: "L1" as const, rule: "autonomy.2", text: "" };
const decided = (id: string, tool = "shell", origin: "model" | "person" = "model"): Fact => ({
  type: "call.decided",
  ...{ turn: 1, call: id, tool, origin, decision },
});
const begun = (id: string, tool = "shell"): Fact => ({ type: "effect.begun", turn: 1, call: id, tool, risk: "L1" });
const answered = (...ids: string[]): Fact => ({
  type: "round.ended",
  ...{ turn: 1, round: 1, model: "openai/scripted", vendor: "openai-compatible", usage: noUsage, cost: 0 },
  content: ids.map((id) => ({ type: "call", id, name: "shell", input: { command: `touch ${id}` } })),
  finish: "calls",
});
const started = (origin: "model" | "person"): Fact => ({ type: "turn.started", turn: 1, prompt: prompt("go"), origin });
const append = (opened: Opened, ...facts: Fact[]) => facts.forEach((fact) => opened.session.append(fact));
const statuses = (opened: Opened) => opened.those("call.ended").map((fact) => `${fact.call} ${fact.result.status}`);

test("resumed: one unknown, the rest not run, and the model reads both before it goes on", async () => {
  await using world = await makeWorld(["I see."]);
  const opened = await world.open();
  append(opened, started("model"), answered("a", "b", "c"), decided("a"), begun("a"), decided("b"));
  await opened.agent.resume();
  await opened.agent.idle();
  expect(statuses(opened)).toEqual(["a unknown", "b refused", "c refused"]);
  expect(["a", "b", "c"].some((name) => world.exists(name))).toBe(false);
  const [request] = world.server.requests;
  const results = request ? resultsOf(request) : [];
  expect(results.map((result) => result.call)).toEqual(["a", "b", "c"]);
  expect(results[0]?.text).toContain("Unknown outcome");
  expect(results[1]?.text).toContain("Not run");
  expect(opened.those("turn.ended").map(({ stop }) => stop.kind)).toEqual(["done"]);
});

test("a new prompt instead ends the broken turn as such, and the model still learns of the unknown", async () => {
  await using world = await makeWorld(["I see."]);
  const opened = await world.open();
  append(opened, started("model"), answered("a"), decided("a"), begun("a"));
  await opened.turn("something else");
  expect(opened.those("turn.ended").map(({ stop }) => stop.kind)).toEqual(["crashed", "done"]);
  expect(JSON.stringify(world.server.requests[0]?.body)).toContain("Unknown outcome");
});

test("an interrupted command of the person's own is told as unknown, not done again, and no model is asked", async () => {
  await using world = await makeWorld(["I see."]);
  const opened = await world.open();
  append(opened, started("person"), decided("person-1", "shell", "person"), begun("person-1"));
  await opened.agent.resume();
  await opened.agent.idle();
  expect(statuses(opened)).toEqual(["person-1 unknown"]);
  expect(opened.those("turn.ended").map(({ stop }) => stop.kind)).toEqual(["crashed"]);
  expect(world.server.requests).toHaveLength(0);
  await opened.turn("what happened?");
  expect(JSON.stringify(world.server.requests[0]?.body)).toContain("Unknown outcome");
});

test("a restore that was cut off outside of any turn is told to the person and to the model, once", async () => {
  await using world = await makeWorld(() => "I see.");
  const opened = await world.open();
  await opened.turn("first");
  append(opened, decided("person-restore-9", "rewind", "person"), begun("person-restore-9", "rewind"));
  await opened.turn("second");
  await opened.turn("third");
  expect(statuses(opened)).toEqual(["person-restore-9 unknown"]);
  const texts = world.server.requests.map(
    (request) => JSON.stringify(messagesOf(request)).split("rewind: Unknown outcome").length - 1,
  );
  expect(texts).toEqual([0, 1, 1]);
});

test("the rounds before a crash count for the limit of the turn", async () => {
  await using world = await makeWorld(({ index }) => shell(`echo ${index}`));
  const opened = await world.open({ maxRounds: 3 });
  append(opened, started("model"), answered("a"), decided("a"), begun("a"));
  await opened.agent.resume();
  await opened.agent.idle();
  expect(opened.those("turn.ended").map(({ stop }) => stop.kind)).toEqual(["rounds"]);
  expect(world.server.requests).toHaveLength(2);
});
