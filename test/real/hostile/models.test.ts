// 200 calls at once, and a limit that is waited for.
import { expect, test } from "vitest";
import { byResults, makeScene, read, resultsOf, those, write } from "../../scenarios/scene.ts";
import { expectNothingLost } from "../../hostile/support.ts";

test.concurrent("200 calls at once: every one has its result, in source order, and every effect its entry", async () => {
  const calls = Array.from({ length: 200 }, (_, at) =>
    at % 4 === 0 ? write(`f${at}.txt`, `${at}\n`, `c${at}`) : read(`f${at - (at % 4)}.txt`, `c${at}`),
  );
  await using scene = await makeScene(byResults(calls, "Done."));
  const { code, events } = await scene.tell(["go"]);
  expect(code).toBe(0);
  const results = resultsOf(scene.server.requests[1]!);
  expect(results.map((result) => result.call)).toEqual(calls.map(({ id }) => id));
  for (const [at, { text }] of results.entries()) {
    expect(text).toMatch(at % 4 === 0 ? /^Wrote/ : new RegExp(`\\n${at - (at % 4)}\\n`));
  }
  expect(those(events, "effect.begun")).toHaveLength(200);
  await expectNothingLost(scene);
});

test.concurrent("429 with Retry-After is waited for as long as it asks, and told meanwhile", async () => {
  await using scene = await makeScene([{ status: 429, say: "Slow", headers: { "retry-after": "1" } }, "ok"]);
  const { code, events } = await scene.tell(["go"]);
  expect(code).toBe(0);
  expect(those(events, "wire.waiting")).toMatchObject([{ attempt: 2, delayMs: 1000 }]);
  const [first, second] = scene.server.requests;
  expect(second!.at - first!.at).toBeGreaterThanOrEqual(990);
});
