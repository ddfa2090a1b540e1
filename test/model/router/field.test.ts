import fc from "fast-check";
import { expect, test } from "vitest";
import { type Entry, standing } from "../../../src/model/router/field.ts";

const entries = fc.array(
  fc.record<Entry>({ passed: fc.boolean(), outcome: fc.constantFrom("x", "y", "z") }, { requiredKeys: ["outcome"] }),
  { maxLength: 5 },
);

test("property: nothing that failed is taken, what passed comes first, and nobody judges between equals", () => {
  fc.assert(
    fc.property(entries, (all) => {
      const found = standing(all);
      const passing = all.filter(({ passed }) => passed === true);
      const open = passing.length > 0 ? passing : all.filter(({ passed }) => passed === undefined);
      if ("none" in found) {
        expect(open).toEqual([]);
        return;
      }
      const numbers = "taken" in found ? [found.taken] : found.among;
      const chosen = numbers.map((at) => all[at]);
      for (const each of chosen) expect(open).toContain(each);
      // Each outcome that is left is there once, so a judge sees two at least.
      expect(chosen.map((each) => each?.outcome).toSorted()).toEqual(
        [...new Set(open.map(({ outcome }) => outcome))].toSorted(),
      );
      if ("among" in found) expect(found.among.length).toBeGreaterThan(1);
    }),
  );
});
