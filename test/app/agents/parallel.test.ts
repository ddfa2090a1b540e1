// Several subagents at once, in the real program: what each does, what comes back, and what one's failure does to the rest.
import { expect, test } from "vitest";
import { call, configure, makeScene, messagesOf, read, resultsOf, resultText, those } from "../../scenarios/scene.ts";
import { byOpening, openingOf, systemOf } from "./script.ts";

const files = { "src/a.ts": "export const a = 1;\n", "src/b.ts": "export const b = 2;\n" };

test("three work in parallel, each with a context of its own; one that crashes hurts no other", async () => {
  let atOnce = 0;
  let most = 0;
  const slowly = (say: string) => async () => {
    atOnce += 1;
    most = Math.max(most, atOnce);
    await new Promise((resolve) => setTimeout(resolve, 250));
    atOnce -= 1;
    return { say };
  };
  const script = byOpening({
    "look around": [
      [
        call("agent", { agent: "explorer", task: "Find a." }, "one"),
        call("agent", { agent: "explorer", task: "Find b." }, "two"),
        call("agent", { agent: "reviewer", task: "Judge it." }, "three"),
        call("agent", { agent: "verifier", task: "Cut off." }, "four"),
        call("agent", { agent: "nobody", task: "Nothing." }, "five"),
        call("agent", { agent: "explorer" }, "six"),
      ],
      "All told.",
    ],
    "Find a.": [
      { calls: [read("src/a.ts", "read")], usage: { input: 700, output: 30 } },
      slowly("a is 1, see src/a.ts:1"),
    ],
    "Find b.": [slowly("b is 2")],
    "Cut off.": [{ say: "half of an answer that breaks off", streamError: { type: "server_error", message: "lost" } }],
    "Judge it.": [{ status: 400, say: "this provider has burnt down" }],
  });
  await using scene = await makeScene(script, { git: true, files });
  const { code, events, stderr } = await scene.tell(["look around"]);
  expect([code, stderr]).toEqual([0, ""]);
  expect(most).toBe(2);
  expect(resultText(events, "one")).toMatch(
    /^\[explorer-1 done: 2 rounds, 1 call\]\n<data source="subagent explorer-1">\na is 1, see src\/a\.ts:1\n<\/data>$/,
  );
  expect(resultText(events, "two")).toContain("explorer-2 done: 1 round, 0 calls");
  expect(resultText(events, "three")).toMatch(/reviewer-1 failed.*this provider has burnt down/);
  expect(
    those(events, "agent.ended")
      .map(({ agent, state }) => `${agent} ${state}`)
      .toSorted(),
  ).toEqual(["explorer-1 done", "explorer-2 done", "reviewer-1 failed", "verifier-1 failed"]);
  expect(resultText(events, "five")).toMatch(
    /There is no agent "nobody"\. There are: explorer, planner, coder, reviewer, verifier\./,
  );
  expect(resultText(events, "six")).toContain("Say in `task` what the subagent is to do.");
  const child = scene.server.requests.find((request) => openingOf(request).includes("Find a."));
  expect(child && messagesOf(child).filter(({ role }) => role === "user")).toHaveLength(1);
  expect(child && systemOf(child)).toContain("You are a subagent: explorer.");
  const inside = those(events, "agent.event").map(({ agent, event }) => `${agent} ${event.type}`);
  expect(inside).toContain("explorer-1 call.ended");
  expect(inside).toContain("reviewer-1 turn.ended");
  const [ended] = those(events, "turn.ended");
  const own = those(events, "round.ended").reduce((sum, { usage }) => sum + usage.input, 0);
  expect(ended?.usage.input).toBe(own + 700);
  const last = scene.server.requests.at(-1);
  expect(last && resultsOf(last).map((result) => result.call)).toEqual(["one", "two", "three", "four", "five", "six"]);
});

test("a subagent stops at its own limit of money, which its parent's is not touched by; what it cost stands in the bill", async () => {
  const usage = { input: 1_000, output: 500 };
  const script = byOpening({
    spend: [
      { calls: [call("agent", { agent: "explorer", task: "Spend it." }, "one")], usage },
      { say: "Enough.", usage },
    ],
    "Spend it.": Array.from({ length: 30 }, (_, at) => ({ calls: [call("glob", { pattern: `${at}*` })], usage })),
  });
  await using scene = await makeScene(script, { files });
  const settings = [
    '[prices."openai/scripted"]',
    "input = 10",
    "output = 10",
    "[budget]",
    "session_limit_usd = 5",
    "subagent_limit_usd = 0.2",
    "[model]",
    "max_output_tokens = 1000",
  ];
  configure(scene, settings.join("\n"));
  const { code, events } = await scene.tell(["spend"]);
  expect(code).toBe(0);
  expect(resultText(events, "one")).toMatch(/explorer-1 failed: .*budget\.subagent_limit_usd/);
  const [ended] = those(events, "agent.ended");
  expect(ended?.cost).toBeGreaterThan(100_000);
  expect(ended?.cost).toBeLessThanOrEqual(200_000);
  const own = those(events, "round.ended").reduce((sum, { cost }) => sum + (cost ?? 0), 0);
  expect(those(events, "turn.ended")[0]?.cost).toBe(own + (ended?.cost ?? 0));
  const view = JSON.parse((await scene.run(["cost", "--json"])).stdout) as { session: { cost: number } };
  expect(view.session.cost).toBe(own + (ended?.cost ?? 0));
});
