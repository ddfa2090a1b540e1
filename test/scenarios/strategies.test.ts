// Several models do one turn: a cheap one that is reviewed, several side by side, drafts that become one answer.
import { expect, test } from "vitest";
import type { Script } from "../support/model-server.ts";
import { asked, finalAnswer, makeCompany, statsOf, told, whole } from "./company.ts";
import { messagesOf, stopOf, write } from "./scene.ts";

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
      : { calls: [write("sum.ts", "export const sum = (a, b) => a + b + 1;\n", "w")] };
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
    "debug: cheap/model answers, strong/model reviews it (cascade, about 61 times the price of cheap/model alone).",
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
});

test("/strategy names one for the session, and gives the choice back", async () => {
  const member: Script = (request) =>
    whole(request).includes("Judge whether it is right")
      ? { say: '{"accept": true, "problems": []}' }
      : { say: "It parses." };
  await using company = await makeCompany({
    cheap: { script: member, price: 0.1 },
    strong: { script: member, price: 15 },
  });
  const terminal = company.scene.terminal([]);
  try {
    await terminal.shows("auto", 10_000);
    await terminal.enter("/strategy all", "/strategy single | cascade | ensemble | synthesis | auto", 10_000);
    await terminal.enter("/strategy cascade", "Turns are done by cascade from here on.", 10_000);
    await terminal.enter("explain the parser", "strong/model accepts the answer of cheap/model.", 15_000);
    await terminal.enter("/strategy auto", "Turns are done by single from here on.", 10_000);
    // Its answer stands on the screen already: only the end tells that it was heard.
    terminal.type("/strategy cascade\r");
    expect(await terminal.exits("/quit\r")).toBe(0);
  } finally {
    terminal.kill();
  }
  const again = await company.scene.tell(["--continue", "explain the lexer"]);
  expect(told(again.events, "router.strategy").at(-1)).toBe("strong/model accepts the answer of cheap/model.");
  const flag = await company.scene.tell(["--continue", "--strategy", "single", "explain the lexer"]);
  expect(told(flag.events, "router.strategy")).toEqual([]);
});
