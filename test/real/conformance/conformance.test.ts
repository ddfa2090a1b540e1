// A sixth of what `npm run conformance` runs: fettle itself against the official suite, as it stands in its pinned package.
import { expect, test } from "vitest";
import { buildOnce } from "../../support/program.ts";
import { judge, ownPairs } from "./suite.ts";

const scored = ownPairs().filter(({ unscored }) => unscored === undefined);

test("the suite still requires what it did when fettle was last measured", () => {
  const counts = Object.groupBy(scored, ({ revision, leg }) => `${revision} ${leg}`);
  expect(Object.fromEntries(Object.entries(counts).map(([kind, pairs]) => [kind, pairs.length]))).toEqual({
    "2025-11-25 client": 18,
    "2025-11-25 server": 30,
    "2026-07-28 client": 32,
    "2026-07-28 server": 37,
  });
});

test.each(scored.filter((_pair, at) => at % 6 === 0))("fettle as $leg at $revision: $scenario", async (pair) => {
  await buildOnce();
  const { passed, problems, output } = await judge(pair);
  expect([passed, problems], output.slice(-4_000)).toEqual([true, []]);
});
