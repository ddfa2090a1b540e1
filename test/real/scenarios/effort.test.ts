// Reasoning effort in the real program: by setting, flag and command; what was sent is what is shown and recorded.
import { expect, onTestFinished, test } from "vitest";
import { keys } from "../../support/terminal.ts";
import { jsonLines, makeScene, those } from "../../scenarios/scene.ts";

const thinker = { OPENAI_MODEL: "gpt-oss-120b" };

test("--effort is sent in the server's form, shown by --json and noted in the ledger; a model without is told of, once", async () => {
  await using scene = await makeScene(() => "Done.", { env: thinker });
  const high = await scene.tell(["--effort", "high", "hello"]);
  expect(high.code).toBe(0);
  expect(scene.server.requests[0]?.body).toMatchObject({ reasoning_effort: "high" });
  expect(those(high.events, "effort.set")).toMatchObject([{ effort: "high" }]);
  const sent = { effort: "high", reasoning: { reasoning_effort: "high" } };
  expect(those(high.events, "round.ended")).toMatchObject([{ sent, latency: { ms: expect.any(Number) } }]);
  const calls = jsonLines((await scene.run(["audit", "query", "--json"])).stdout).filter(
    (entry) => entry["name"] === "model.call",
  );
  expect(calls).toMatchObject([{ data: { effort: "high" } }]);

  // It holds for the session, and another model is asked for nothing that it does not know.
  const plain = await scene.tell(["--continue", "-m", "openai/mixtral-8x7b", "and now?"]);
  expect(scene.server.requests[1]?.body).not.toHaveProperty("reasoning_effort");
  expect(those(plain.events, "round.ended").at(-1)?.sent).not.toHaveProperty("effort");
  const told = those(plain.events, "notice.given").filter(({ code }) => code === "effort.other");
  expect(told.map(({ text }) => text)).toEqual([expect.stringContaining("not known to reason")]);
}, 120_000);

test("the setting of one model goes before that of all; an unknown level names the levels everywhere", async () => {
  await using scene = await makeScene(() => "Done.", { env: thinker });
  const set = await scene.run(["config", "set", "model.effort", "low"]);
  expect(set.code).toBe(0);
  await scene.tell(["hello"]);
  await scene.run(["config", "set", 'arms."openai/gpt-oss-120b".effort', "max"]);
  const fitted = await scene.tell(["hello"]);
  expect(scene.server.requests.map(({ body }) => body["reasoning_effort"])).toEqual(["low", "high"]);
  expect(JSON.stringify(fitted.events)).toContain(
    "knows no effort max, so high is asked for. It knows low, medium, high.",
  );
  const wrong = await scene.run(["-p", "--effort", "enormous", "x"]);
  const levels = "off, minimal, low, medium, high, xhigh, max";
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining(levels)]);
  const unset = await scene.run(["config", "set", "model.effort", "enormous"]);
  expect([unset.code, unset.stderr]).toEqual([2, expect.stringContaining(levels)]);
}, 120_000);

test("without a setting an answer may be as long as the model's card says, and no longer than its window leaves", async () => {
  await using scene = await makeScene(() => "Done.");
  await scene.tell(["-m", "openai/gpt-4o", "hello"]);
  await scene.tell(["-m", "openai/gpt-5.1", "hello"]);
  await scene.tell(["-m", "openai/unheard-of", "hello"]);
  await scene.tell(["-m", "openai/gpt-5.1", "hello"], { env: { FETTLE_MODEL__MAX_OUTPUT_TOKENS: "700" } });
  const asked = scene.server.requests.map(({ body }) => body["max_tokens"] ?? body["max_completion_tokens"]);
  expect(asked).toEqual([16_384, 128_000, 32_768, 700]);
}, 120_000);

test("/effort lists, changes and takes back; the status line shows what was sent", async () => {
  await using scene = await makeScene(() => "Done.", { env: thinker });
  const terminal = scene.terminal([]);
  onTestFinished(() => terminal.kill("SIGKILL"));
  await terminal.shows("/help for commands");
  await terminal.enter("/effort enormous", "use one of off, minimal, low, medium, high");
  await terminal.enter("/effort xhigh", "effort xhigh");
  await terminal.enter("hello", "knows no effort xhigh, so high is asked for");
  await terminal.shows("effort high");
  expect(scene.server.requests[0]?.body).toMatchObject({ reasoning_effort: "high" });
  await terminal.enter("/effort auto", "effort from the next turn on: as the settings say");
  terminal.type(`again${keys.enter}`);
  await expect.poll(() => scene.server.requests.length).toBe(2);
  expect(scene.server.requests[1]?.body).not.toHaveProperty("reasoning_effort");
}, 120_000);
