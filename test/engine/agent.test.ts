// An agent's life: one turn at a time, whatever comes at once.
import { commandOfPerson } from "../../src/engine/command-calls.ts";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import type { ArmSource } from "../../src/app/models/cards/arm-source.ts";
import { Fault } from "../../src/base/fault.ts";
import type { Stop } from "../../src/protocol/event.ts";
import { shell } from "../scenarios/scene.ts";
import { makeWorld, type Opened, prompt } from "./world.ts";

const slowly =
  (ms: number) =>
  (arms: ArmSource): ArmSource =>
  async (name) => {
    await sleep(ms);
    return arms(name);
  };

const failureOf = async (promise: Promise<unknown>): Promise<Fault> => {
  const error: unknown = await promise.catch((reason: unknown) => reason);
  if (error instanceof Fault) return error;
  throw new Error(`no Fault but ${String(error)}`);
};
const stops = (opened: Opened) => opened.those("turn.ended").map(({ stop }) => stop.kind);
const started = async (opened: Opened, type: "effect.begun" | "round.started") => {
  while (opened.those(type).length === 0) await sleep(5);
};

test("prompts that come while the model is still being found make one turn", async () => {
  await using world = await makeWorld(() => "yes");
  const opened = await world.open({}, slowly(60));
  const { agent } = opened;
  const all = Promise.all([agent.prompt(prompt("one")), agent.prompt(prompt("two")), agent.prompt(prompt("three"))]);
  expect(agent.busy).toBe(true);
  await all;
  await agent.idle();
  expect(opened.those("turn.started").map(({ prompt: [part] }) => part)).toEqual([{ type: "text", text: "one" }]);
  expect(opened.those("prompt.joined")).toHaveLength(2);
  expect(stops(opened)).toEqual(["done"]);
});

test("a stop while the model is still being found ends the turn at once", async () => {
  await using world = await makeWorld(() => "yes");
  const opened = await world.open({}, slowly(40));
  const sent = opened.agent.prompt(prompt("one"));
  opened.agent.stop();
  await sent;
  await opened.agent.idle();
  expect(stops(opened)).toEqual(["interrupted"]);
  expect(world.server.requests).toHaveLength(0);
});

test("a prompt that no model can answer is refused before anything is recorded, and the next one is not held up", async () => {
  await using world = await makeWorld(() => "yes");
  let refuse = true;
  const opened = await world.open({}, (arms) => async (name) => {
    await sleep(20);
    if (refuse) throw new Fault("model.none", 2, "No model.", undefined);
    return arms(name);
  });
  const before = opened.facts().length;
  const first = failureOf(opened.agent.prompt(prompt("one")));
  const second = failureOf(opened.agent.prompt(prompt("two")));
  expect([(await first).code, (await second).code]).toEqual(["model.none", "model.none"]);
  expect(opened.facts()).toHaveLength(before);
  refuse = false;
  await opened.turn("three");
  expect(stops(opened)).toEqual(["done"]);
});

test("what was typed before the person stopped everything is told as not sent", async () => {
  await using world = await makeWorld(() => ({ chunks: Array.from({ length: 200 }, () => "word "), frameMs: 20 }));
  const opened = await world.open();
  await opened.agent.prompt(prompt("go"));
  await started(opened, "round.started");
  await opened.agent.prompt(prompt("and tidy up"));
  opened.agent.stop();
  await opened.agent.idle();
  expect(stops(opened)).toEqual(["interrupted"]);
  expect(opened.those("notice.given").map(({ text }) => text)).toEqual(["Not sent, as you stopped: and tidy up"]);
});

test("what was typed in a turn that a limit stopped becomes the next turn", async () => {
  await using world = await makeWorld(({ index }) => (index === 0 ? { calls: [shell("sleep 0.3")] } : { say: "yes" }));
  const opened = await world.open({ maxRounds: 1 });
  await opened.agent.prompt(prompt("go"));
  await started(opened, "effect.begun");
  await opened.agent.prompt(prompt("also this"));
  await opened.agent.idle();
  expect(stops(opened)).toEqual(["rounds", "done"]);
  expect(opened.those("prompt.joined")).toHaveLength(0);
  expect(opened.those("turn.started").map(({ prompt: [part] }) => part)).toMatchObject([
    { text: "go" },
    { text: "also this" },
  ]);
});

test("what was typed in the last turn before fettle is closed begins none, and is told as not sent", async () => {
  await using world = await makeWorld(({ index }) => (index === 0 ? { calls: [shell("sleep 0.3")] } : { say: "yes" }));
  const opened = await world.open({ maxRounds: 1 });
  const { agent, session } = opened;
  const closing: Stop = { kind: "interrupted", text: "Closed." };
  session.listen(({ type }) => {
    if (type === "turn.ended") void agent.finish(5_000, { ...closing, patienceMs: 100 });
  });
  await agent.prompt(prompt("go"));
  await started(opened, "effect.begun");
  await agent.prompt(prompt("also this"));
  await agent.idle();
  expect(stops(opened)).toEqual(["rounds"]);
  expect(opened.those("notice.given").map(({ text }) => text)).toEqual(["Not sent, as fettle was closed: also this"]);
});

test("when what was typed cannot become the next turn, the person is told and the session goes on", async () => {
  await using world = await makeWorld(() => shell("sleep 0.3"));
  let refuse = false;
  const opened = await world.open({ maxRounds: 1 }, (arms) => async (name) => {
    if (refuse) throw new Fault("model.gone", 2, "The model is gone.", "Start it.");
    return arms(name);
  });
  await opened.agent.prompt(prompt("go"));
  await started(opened, "effect.begun");
  await opened.agent.prompt(prompt("and this"));
  refuse = true;
  await opened.agent.idle();
  expect(stops(opened)).toEqual(["rounds"]);
  expect(opened.those("notice.given").map(({ text }) => text)).toEqual(["The model is gone. Start it."]);
  expect(opened.session.failed).toBe(false);
});

test("a schema that cannot be used is refused as wrong use, before anything is recorded", async () => {
  await using world = await makeWorld(() => "{}");
  const opened = await world.open({ outputSchema: { type: "nonsense" } });
  const before = opened.facts().length;
  const fault = await failureOf(opened.agent.prompt(prompt("go")));
  expect(fault).toMatchObject({ exit: 2, code: "schema.unusable" });
  expect(opened.facts()).toHaveLength(before);
  expect(opened.agent.busy).toBe(false);
});

test("a turn that fails unexpectedly leaves no subagent at work", async () => {
  await using world = await makeWorld(() => "yes");
  const opened = await world.open();
  const ended: string[] = [];
  const helpers = {
    working: true,
    news: () => undefined,
    settled: async () => undefined,
    end: async ({ kind }: Stop) => void ended.push(kind),
  };
  const prefix = () => Promise.reject(new Error("a bug"));
  const agent = opened.agentFor({ helpers: () => helpers, prefix });
  await agent.prompt(prompt("go"));
  await agent.idle();
  expect(ended).toEqual(["crashed"]);
  expect(opened.session.failed).toBe(true);
});

test("the person's own command that is stopped ends as interrupted; afterwards the agent is free at once", async () => {
  await using world = await makeWorld(() => "yes");
  const opened = await world.open();
  await opened.agent.call(commandOfPerson("sleep 20"));
  await started(opened, "effect.begun");
  expect((await failureOf(opened.agent.call(commandOfPerson("true")))).code).toBe("agent.busy");
  opened.agent.stop();
  await opened.agent.idle();
  await opened.agent.call(commandOfPerson("echo free"));
  await opened.agent.idle();
  expect(stops(opened)).toEqual(["interrupted", "done"]);
  await opened.agent.prompt(prompt("and now?"));
  await opened.agent.idle();
  // The model has not written the command: it is told.
  expect(world.server.requests.at(-1)?.raw).toMatch(/The person ran `echo free`:[^]*free/);
});

test("whoever sees a turn's end may begin the next thing in the same moment", async () => {
  await using world = await makeWorld(() => "yes");
  const opened = await world.open();
  await opened.agent.prompt(prompt("go"));
  for await (const event of opened.session.events(0)) if (event.type === "turn.ended") break;
  await opened.agent.call(commandOfPerson("true"));
  await opened.agent.idle();
  expect(stops(opened)).toEqual(["done", "done"]);
});

test("a rewind does not meet a turn: a prompt that comes meanwhile waits for its end", async () => {
  await using world = await makeWorld(() => "yes");
  const opened = await world.open();
  const order: string[] = [];
  const alone = opened.agent.alone(async () => {
    await sleep(30);
    order.push(`alone ${opened.those("turn.started").length}`);
  });
  expect((await failureOf(opened.agent.alone(async () => undefined))).code).toBe("agent.busy");
  await opened.agent.prompt(prompt("go"));
  order.push("prompted");
  await alone;
  await opened.agent.idle();
  expect(order).toEqual(["alone 0", "prompted"]);
});
