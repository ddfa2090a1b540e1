import fc from "fast-check";
import { expect, test } from "vitest";
import { Beginnings, eachName, wordsOf } from "../../src/base/code-words.ts";
import { encodePostings, readPostings } from "../../src/base/postings.ts";

const part = fc.constantFrom(
  "strip",
  "Tags",
  "URL",
  "Validator",
  "queries",
  "running",
  "2d",
  "x",
  "é",
  "HTTP",
  "404",
  "id",
);
const name = fc.array(fc.tuple(part, fc.constantFrom("", "_", "$")), { minLength: 1, maxLength: 4 });
const text = fc.array(
  fc.oneof(
    name.map((parts) => parts.map((each) => each.join("")).join("")),
    fc.string({ maxLength: 12 }),
  ),
  { maxLength: 12 },
);

test("property: names that are passed over by how they begin hold none of the words", () => {
  fc.assert(
    fc.property(text, text, (one, two) => {
      const words = new Set(wordsOf(two.join(" ")));
      const among = new Beginnings(words);
      const found = (only?: Beginnings) => {
        const kept: string[] = [];
        eachName(
          one.join(" "),
          (each, from) => kept.push(...each.filter((w) => words.has(w)).map((w) => `${from} ${w}`)),
          only,
        );
        return kept;
      };
      expect(found(among)).toEqual(found());
    }),
    { numRuns: 500 },
  );
});

test("property: where words stand is read as it was written, whatever it counts from", () => {
  const document = fc.tuple(fc.integer({ min: 1, max: 5_000_000 }), fc.integer({ min: 0, max: 2_047 }));
  fc.assert(
    fc.property(fc.array(document, { maxLength: 40 }), fc.nat(1_000), (steps, base) => {
      const pairs: number[] = [];
      let at = 0;
      for (const [step, packed] of steps) pairs.push((at += step), packed);
      const read: number[] = [];
      readPostings(Uint8Array.from(encodePostings(pairs)), base, read);
      expect(read).toEqual(pairs.map((value, place) => (place % 2 === 0 ? value + base : value)));
    }),
  );
});

test("bytes that are damaged end all the same", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      const read: number[] = [];
      readPostings(bytes, 0, read);
      expect(read.length % 2).toBe(0);
    }),
  );
});
