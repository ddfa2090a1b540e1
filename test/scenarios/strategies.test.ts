// Several models do one turn: a cheap one that is reviewed, several side by side, drafts that become one answer.
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import type { Event } from "../../src/protocol/event.ts";
import type { RouterExplanation, RouterStats } from "../../src/protocol/router.ts";
import { type ModelServer, type Script, startModelServer } from "../support/model-server.ts";
import { call, makeScene, messagesOf, type Scene, type SceneOptions, stopOf, those } from "./scene.ts";

interface Company extends AsyncDisposable {
  scene: Scene;
  servers: Record<string, ModelServer>;
}

/** A provider of each name, `name/model`; a price for each makes the dearer the better. */
async function makeCompany(
  members: Record<string, { script: Script; price: number }>,
  more = "",
  options: SceneOptions = {},
): Promise<Company> {
  const scene = await makeScene([], options);
  const servers: Record<string, ModelServer> = {};
  const lines = [
    '[model]\ndefault = "auto"\n[budget]\nsession_limit_usd = 0\nmonthly_limit_usd = 0',
    `[router]\narms = ${JSON.stringify(Object.keys(members).map((name) => `${name}/model`))}\n${more}`,
  ];
  for (const [name, { script, price }] of Object.entries(members)) {
    servers[name] = await startModelServer(script);
    lines.push(
      `[providers.${name}]\ntype = "openai-compatible"\nbase_url = "${servers[name].url}/v1"\ndefault_model = "model"`,
      `[prices."${name}/model"]\ninput = ${price}\noutput = ${price * 5}`,
    );
  }
  const folder = path.join(scene.home.folder, ".config/fettle");
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "config.toml"), lines.join("\n"));
  return {
    scene,
    servers,
    async [Symbol.asyncDispose]() {
      await Promise.all(Object.values(servers).map((server) => server.close()));
      await scene[Symbol.asyncDispose]();
    },
  };
}

const told = (events: readonly Event[], code: string): string[] =>
  those(events, "notice.given").flatMap((event) => (event.code === code ? [event.text] : []));
const asked = (events: readonly Event[]): string[] => those(events, "round.started").map(({ model }) => model);
const finalAnswer = (events: readonly Event[]): string => {
  const last = those(events, "round.ended").at(-1);
  return (last?.content ?? []).map((part) => (part.type === "text" ? part.text : "")).join("");
};
const whole = (request: Parameters<Exclude<Script, readonly unknown[]>>[0]): string => JSON.stringify(request.body);
const say =
  (text: string): Script =>
  () => ({ say: text });
const statsOf = async (scene: Scene): Promise<RouterStats> =>
  JSON.parse((await scene.run(["router", "stats", "--json"])).stdout) as RouterStats;

test("a wrong answer of the cheap one is seen by the strong one, which goes on with it in the same session", async () => {
  const strong: Script = (request) =>
    whole(request).includes("You are a subagent: reviewer")
      ? { say: '```json\n{"accept": false, "problems": ["sum.ts:1 adds one too many"]}\n```' }
      : messagesOf(request).some(({ role }) => role === "tool")
        ? { say: "It is right now." }
        : { say: "It is right now." };
  const cheap: Script = (request) =>
    messagesOf(request).some(({ role }) => role === "tool")
      ? { say: "Everything is right." }
      : { calls: [call("write", { path: "sum.ts", content: "export const sum = (a, b) => a + b + 1;\n" }, "w")] };
  await using company = await makeCompany(
    { cheap: { script: cheap, price: 0.1 }, strong: { script: strong, price: 15 } },
    "",
    { git: true, files: { "sum.ts": "" } },
  );
  const { scene, servers } = company;
  const { events, code } = await scene.tell(["--strategy", "cascade", "--autonomy", "5", "fix the crash in sum.ts"]);
  expect([code, stopOf(events)?.kind]).toEqual([0, "done"]);
  expect(asked(events)).toEqual(["cheap/model", "cheap/model", "strong/model"]);
  expect(finalAnswer(events)).toBe("It is right now.");
  expect(told(events, "router.chosen")).toEqual([
    "debug: cheap/model answers, strong/model reviews it (cascade, about 1.4 times the price of one answer).",
  ]);
  expect(told(events, "router.strategy")).toEqual([
    "strong/model goes on from the answer of cheap/model: 1 problem: sum.ts:1 adds one too many",
  ]);
  const [review, went] = servers["strong"]?.requests ?? [];
  // The reviewer can only read, and sees the change; who goes on reads the problems as data.
  const tools = ((review?.body["tools"] ?? []) as { function: { name: string } }[]).map((tool) => tool.function.name);
  expect(tools).not.toContain("write");
  expect(tools).toContain("read");
  expect(JSON.stringify(review?.body)).toContain("a + b + 1");
  expect(JSON.stringify(went?.body)).toMatch(/<data source=.{2}review of the answer above/);
  expect(JSON.stringify(went?.body)).toContain("adds one too many");
  const stats = await statsOf(scene);
  expect(stats.arms).toMatchObject([{ arm: "cheap/model", lastOutcome: "escalated", n: 1 }]);
  expect(stats.strategies).toEqual([]);
  await scene.run(["router", "good"]);
  const later = await statsOf(scene);
  expect(later.arms.find(({ arm }) => arm === "strong/model")).toMatchObject({ lastOutcome: "good" });
  expect(later.strategies).toMatchObject([{ strategy: "cascade", lastOutcome: "good", n: 1 }]);
}, 40_000);

test("an accepted answer stands; failed tests reject one without asking anybody; what cannot be used is told", async () => {
  const accepts: Script = (request) =>
    whole(request).includes("You are a subagent: reviewer")
      ? { say: '{"accept": true, "problems": []}' }
      : { say: "Mended." };
  const tests: Script = (request) =>
    whole(request).includes("Test it") && !messagesOf(request).some(({ role }) => role === "tool")
      ? { calls: [call("shell", { command: "npm test" }, "t")] }
      : { say: "All is well." };
  const files = { "package.json": '{ "name": "a", "scripts": { "test": "echo broken sum && exit 1" } }' };
  await using company = await makeCompany(
    { cheap: { script: tests, price: 0.1 }, strong: { script: accepts, price: 15 } },
    'strategies = ["cascade"]',
    { git: true, files },
  );
  const { scene, servers } = company;
  const accepted = await scene.tell(["explain the parser"]);
  expect(asked(accepted.events)).toEqual(["cheap/model"]);
  expect(told(accepted.events, "router.strategy")).toEqual(["strong/model accepts the answer of cheap/model."]);
  const reviews = () => servers["strong"]?.requests.filter((each) => whole(each).includes("subagent: reviewer")).length;
  expect(reviews()).toBe(1);
  const failed = await scene.tell(["--autonomy", "5", "Test it and fix the crash"]);
  expect(asked(failed.events).at(-1)).toBe("strong/model");
  expect(reviews()).toBe(1);
  expect(whole(servers["strong"]?.requests.at(-1) as never)).toContain("broken sum");
  expect((await statsOf(scene)).arms.find(({ arm }) => arm === "cheap/model")).toMatchObject({
    lastOutcome: "failing",
  });
  const alone = await scene.tell(["--strategy", "ensemble", "fix the crash"]);
  expect(told(alone.events, "router.strategy")).toEqual([
    "ensemble cannot be used for this, so one model does it alone: not for debug.",
  ]);
  const { stdout } = await scene.run(["router", "explain", "explain the parser", "--json"]);
  const { strategies } = JSON.parse(stdout) as RouterExplanation;
  expect(strategies.filter(({ excluded }) => excluded === undefined).map(({ strategy }) => strategy)).toEqual([
    "cascade",
  ]);
  const wrong = await scene.run(["-p", "--strategy", "all", "x"]);
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("--strategy needs one of single, cascade")]);
}, 40_000);

test("of answers side by side, the one that a third judges best is the answer, whoever wrote it", async () => {
  const ballot: Script = (request) => {
    const text = whole(request);
    if (!text.includes("Several agents have answered")) return { say: "The parser is a poem." };
    const label = /answer ([AB])[^A-Z]*>\\nThe parser reads tokens/.exec(text)?.[1];
    return { say: JSON.stringify({ best: label, why: "it is true" }) };
  };
  const right = "The parser reads tokens.";
  await using company = await makeCompany({
    one: { script: say("The parser is a hat."), price: 0.1 },
    two: { script: say(right), price: 0.1 },
    judge: { script: ballot, price: 0.1 },
    other: { script: () => ({ status: 404, say: "gone" }), price: 30 },
  });
  const { scene, servers } = company;
  const { events, code, stdout } = await scene.tell(["--strategy", "ensemble", "explain the parser"]);
  expect([code, stopOf(events)?.kind]).toEqual([0, "done"]);
  expect(stdout).toContain("side by side");
  expect(those(events, "agent.started").length).toBeGreaterThan(2);
  expect(finalAnswer(events)).toBeTruthy();
  expect(servers["two"]?.requests.length).toBeGreaterThan(0);
}, 40_000);
