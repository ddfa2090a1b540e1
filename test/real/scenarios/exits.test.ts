// More ways for a run to end, each with its exit code.
import { expect, test } from "vitest";
import { byResults, configure, makeScene, read, type Step, stopOf, those, write } from "../../scenarios/scene.ts";

test("the month's limit counts every session of the user: 4", async () => {
  await using scene = await makeScene(() => ({ say: "ok", usage: { input: 50_000, output: 0 } }));
  configure(scene, '[prices."openai/scripted"]\ninput = 1\noutput = 1\n[budget]\nmonthly_limit_usd = 0.0505\n');
  expect((await scene.run(["-p", "x"])).code).toBe(0);
  const second = await scene.run(["-p", "x"]);
  expect(second.code).toBe(4);
  expect(second.stderr).toContain("budget.monthly_limit_usd");
  expect(scene.server.requests).toHaveLength(1);
});

test("an unknown price under a limit is exit 2 and names the key", async () => {
  // A name that nobody has: the price is looked at before anybody is asked.
  await using scene = await makeScene([], { env: { OPENAI_BASE_URL: "http://model.example.invalid:9/v1" } });
  const { code, stderr } = await scene.run(["-p", "--max-cost", "1", "x"]);
  expect(code).toBe(2);
  expect(stderr).toContain('prices."openai/scripted".input');
});

test("autonomy 0 asks for everything; a mode of another agent's name means the same", async () => {
  const script = byResults(read("a.txt"), write("b.txt", "x\n"), "no");
  await using scene = await makeScene(script, { files: { "a.txt": "alpha\n" } });
  const { code, events } = await scene.tell(["--autonomy", "0", "x"]);
  expect(code).toBe(3);
  expect(those(events, "approval.asked")).toHaveLength(2);
  expect((await scene.run(["-p", "--mode", "default", "x"])).code).toBe(3);
  expect(those((await scene.tell(["--mode", "cautious", "x"])).events, "approval.asked")).toHaveLength(1);
  expect((await scene.run(["-p", "--autonomy", "6", "x"])).code).toBe(2);
});

test("a provider that refuses is exit 1 with one sentence; what may pass is tried again", async () => {
  const over: Step = { status: 429, say: "slow down", headers: { "retry-after": "0" } };
  const busy: Step = { status: 503, say: "overloaded", headers: { "retry-after": "0" } };
  await using scene = await makeScene([
    { status: 401, say: "bad key" },
    ...[over, busy, { drop: "before" } as const, { say: "At last." }],
    { status: 200, body: "<html>a proxy's login page</html>", headers: { "content-type": "text/html" } },
    { say: "half of a long answer that is never finished", drop: "middle" },
    { say: "no", finish: "filter" },
    { say: "cut", finish: "length" },
    {
      status: 400,
      say: "This model's maximum context length is 1000 tokens. However, your messages resulted in 2000 tokens.",
    },
  ]);
  const ends = [];
  for (let run = 0; run < 7; run += 1) {
    const { code, events, stderr } = await scene.tell(["x"]);
    expect(stderr).toBe("");
    const stop = stopOf(events);
    ends.push([code, stop?.kind, stop?.code]);
    // What somebody has seen is not asked for again.
    expect(those(events, "wire.waiting").length > 0).toBe(run === 1);
    if (run === 3) {
      const [round] = those(events, "round.ended");
      const content = [{ type: "text", text: expect.stringMatching(/^half of/) }];
      expect(round).toMatchObject({ finish: "error", content });
    }
  }
  expect(scene.server.requests).toHaveLength(10);
  expect(ends).toEqual([
    [1, "provider", "auth"],
    [0, "done", undefined],
    [1, "provider", "protocol"],
    [1, "provider", "connection"],
    [1, "provider", "refused"],
    [1, "provider", "length"],
    [1, "context", "context"],
  ]);
});

test("a turn's time is over: 6", async () => {
  await using scene = await makeScene(() => ({ say: "The beginning of more", cut: true, hang: true }));
  const { code, events } = await scene.tell(["x"], { env: { FETTLE_LIMITS_TURN_MINUTES: "0.01" } });
  expect(code).toBe(6);
  expect(stopOf(events)).toMatchObject({ kind: "time", text: expect.stringContaining("limits.turn_minutes") });
});
