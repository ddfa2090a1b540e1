// As test/work/task/proof/drawn.test.ts, with every change and every test, under node:test and pytest.
import { expect, test } from "vitest";
import { judged, type Language, node, python } from "../../../../work/task/proof/drawn-tests.ts";

const pairsOf = ({ changes, tests }: Language) =>
  Object.keys(changes).flatMap((change) => Object.keys(tests).map((name) => ({ change, test: name })));

test.each([node, python])(
  "every test of every change is judged as it was made: $name",
  { timeout: 900_000 },
  async (language) => {
    const wrong: string[] = [];
    const pairs = pairsOf(language);
    for (let at = 0; at < pairs.length; at += 4) {
      const some = await Promise.all(
        pairs.slice(at, at + 4).map(async (pair) => ({ pair, ...(await judged(language, pair)) })),
      );
      for (const { pair, is, wanted, said } of some)
        if (is !== wanted) wrong.push(`${pair.change}, ${pair.test}: ${is}, wanted ${wanted}: ${said}`);
    }
    expect(wrong).toEqual([]);
  },
);
