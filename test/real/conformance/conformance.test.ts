// A third of what `npm run conformance` runs: fettle itself against the official suite, as it stands in its pinned package.
import { expect, test } from "vitest";
import { buildOnce } from "../../support/program.ts";
import { judge, pairsOf, revisions } from "./suite.ts";

const scored = revisions.flatMap(pairsOf).filter(({ unscored, leg }) => unscored === undefined && leg === "client");

test("the suite still requires what it did when fettle was last measured", () => {
  expect(scored.map(({ revision }) => revision).filter((each) => each === "2025-11-25")).toHaveLength(18);
  expect(scored).toHaveLength(50);
});

test.each(scored.filter((_pair, at) => at % 3 === 0))("fettle as $leg at $revision: $scenario", async (pair) => {
  await buildOnce();
  const { passed, problems, output } = await judge(pair);
  expect([passed, problems], output.slice(-4_000)).toEqual([true, []]);
});
