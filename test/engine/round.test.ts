// One model call, however it ends.
import { expect, test } from "vitest";
import { call, messagesOf, read, resultsOf, shell } from "../scenarios/scene.ts";
import { makeWorld, type Opened, prompt } from "./world.ts";

const priced = { settings: { 'prices."openai/scripted".input': 3, 'prices."openai/scripted".output': 15 } };
const stop = (opened: Opened) => opened.those("turn.ended").at(-1)?.stop;
const rounds = (opened: Opened) => opened.those("round.ended");

test("a stream that breaks off leaves what had come as one fact, and its cost is not forgotten", async () => {
  await using world = await makeWorld([{ chunks: ["Half ", "a ", "sentence ", "more "], frameMs: 10, drop: "middle" }]);
  const opened = await world.open(priced);
  await opened.turn("go");
  const [round, ...others] = rounds(opened);
  expect(others).toEqual([]);
  expect(round).toMatchObject({ finish: "error", content: [{ type: "text", text: expect.stringMatching(/^Half /) }] });
  expect(round?.cost).toBeGreaterThan(0);
  expect(stop(opened)).toMatchObject({ kind: "provider", code: "connection" });
});

test("a stopped answer is kept as far as it came, paid for, and said again to the model as its own words", async () => {
  await using world = await makeWorld([
    { chunks: Array.from({ length: 200 }, () => "word "), frameMs: 20 },
    "Going on.",
  ]);
  const opened = await world.open(priced);
  await opened.agent.prompt(prompt("go"));
  for await (const event of opened.session.events(0)) if (event.type === "text.delta") break;
  opened.agent.stop();
  await opened.agent.idle();
  expect(rounds(opened)).toMatchObject([{ finish: "aborted", content: [{ type: "text" }] }]);
  expect(rounds(opened)[0]?.cost).toBeGreaterThan(0);
  expect(stop(opened)?.kind).toBe("interrupted");
  await opened.turn("go on");
  const second = world.server.requests[1];
  expect(second && messagesOf(second).map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"]);
});

test("a refused request costs nothing and says why", async () => {
  await using world = await makeWorld([{ status: 401, say: "no such key" }]);
  const opened = await world.open(priced);
  await opened.turn("go");
  expect(rounds(opened)).toMatchObject([{ finish: "error", cost: 0, content: [] }]);
  expect(stop(opened)).toMatchObject({ kind: "provider", code: "auth" });
});

test("calls of one name get names of their own, over the whole session", async () => {
  const twice = (name: string) => ({ calls: [read(`${name}.txt`, "c1"), call("list", {}, "c1")] });
  await using world = await makeWorld([twice("a"), twice("b"), "Done."], {
    files: { "a.txt": "A", "b.txt": "B" },
  });
  const opened = await world.open();
  await opened.turn("go");
  const names = ["c1", "c1-2", "c1-3", "c1-4"];
  expect(
    opened
      .those("call.ended")
      .map((fact) => fact.call)
      .toSorted(),
  ).toEqual(names);
  const last = world.server.requests.at(-1);
  expect(last && resultsOf(last).map((result) => result.call)).toEqual(names);
});

test("text that no file could hold is made well-formed before anything else sees it", async () => {
  await using world = await makeWorld([[{ name: "write", raw: '{"path":"a.txt","content":"\\ud800"}' }], "Done."]);
  const opened = await world.open();
  await opened.turn("go");
  expect(world.text("a.txt")).toBe("\ufffd");
});

test("the person is warned once when the conversation fills most of the window", async () => {
  const round = (input: number) => ({
    calls: [shell(`echo ${input}`)],
    usage: { input, output: 10 },
  });
  await using world = await makeWorld([round(50_000), round(90_000), round(95_000), "Done."]);
  const opened = await world.open({ settings: { "context.tell_model": true } });
  await opened.turn("go");
  // The model hears it where the person wants that.
  const told = opened.those("note.added").map(({ text }) => text);
  expect(told).toEqual([
    expect.stringContaining("29 % of your context window is left. Finish what you are at"),
    expect.stringContaining("25 % of your context window is left. Write down what is still open"),
  ]);
  expect(JSON.stringify(world.server.requests.at(-1)?.body)).toContain("Finish what you are at");
  const notices = opened.those("notice.given").filter(({ code }) => code === "context.filling");
  expect(notices.map(({ text }) => text)).toEqual([
    expect.stringContaining("29 % of the model's window is left. Below 25 %"),
  ]);
});

const long = { calls: [{ name: "write", raw: JSON.stringify({ path: "a.txt", content: "words ".repeat(20_000) }) }] };

test("a call that broke off before anybody saw it is asked for again, and paid for", async () => {
  await using world = await makeWorld([
    { ...long, drop: "middle" },
    { say: "Done.", usage: { input: 100, output: 10 } },
  ]);
  const opened = await world.open(priced);
  await opened.turn("go");
  expect(world.server.requests).toHaveLength(2);
  expect(rounds(opened)).toMatchObject([{ finish: "stop" }]);
  expect(rounds(opened)[0]?.cost).toBeGreaterThan(100_000);
});

test("what breaks off is not asked for again where it could exceed a limit, and is not forgotten", async () => {
  await using world = await makeWorld(() => ({ ...long, drop: "middle" }));
  const { settings } = priced;
  const opened = await world.open({ settings: { ...settings, "model.max_output_tokens": 30_000 }, maxCost: 0.6 });
  await opened.turn("go");
  expect(world.server.requests).toHaveLength(1);
  expect(stop(opened)).toMatchObject({ kind: "budget", text: expect.stringContaining("--max-cost") });
  expect(rounds(opened)[0]?.cost).toBeGreaterThan(100_000);
});

test("a call that does not end is cut where it could exceed a limit, as a text is", async () => {
  await using world = await makeWorld([long]);
  const { settings } = priced;
  const opened = await world.open({ settings: { ...settings, "model.max_output_tokens": 1_000 }, maxCost: 0.1 });
  await opened.turn("go");
  expect(stop(opened)).toMatchObject({ kind: "budget", text: expect.stringContaining("longer than it was asked") });
  expect(world.exists("a.txt")).toBe(false);
});
