// The judge of proofs against changes and tests that are drawn, run for real: what each is worth is known by how it is made.
import fc from "fast-check";
import { expect, test } from "vitest";
import { drawnOf, judged, node } from "./drawn-tests.ts";

test("property: a drawn test counts as proof of a drawn change exactly where it was made to be one", async () => {
  await fc.assert(
    fc.asyncProperty(drawnOf(node), async (drawn) => {
      const { is, wanted, said } = await judged(node, drawn);
      expect(is, said).toBe(wanted);
    }),
    { numRuns: 6, examples: [[{ change: "not implemented", test: "asserts the change" }]] },
  );
});
