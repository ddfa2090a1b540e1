import fc from "fast-check";
import { expect, test } from "vitest";
import { Automaton, searchEach } from "../../src/guard/firewall/automaton.ts";

test("property: finds every word at every place, as looking for each one by itself does", () => {
  const letters = fc.string({ unit: fc.constantFrom("a", "b", "A", "é", "-"), maxLength: 40 });
  const word = fc.string({ unit: fc.constantFrom("a", "b", "B", "-"), minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 8 }), letters, letters, (words, first, text) => {
      const automaton = new Automaton(words);
      automaton.search(first, () => undefined);
      const found: string[] = [];
      automaton.search(text, (at, index) => found.push(`${at} ${index}`));
      const lower = text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
      const expected = words.flatMap((one, index) =>
        [...text].flatMap((_letter, at) => (lower.startsWith(one.toLowerCase(), at) ? [`${at} ${index}`] : [])),
      );
      expect(found.toSorted()).toEqual(expected.toSorted());
      const each: string[] = [];
      const small = words.map((one) => one.toLowerCase());
      searchEach(small, text, (at, index) => each.push(`${at} ${index}`));
      expect(each).toEqual(found);
    }),
  );
});
