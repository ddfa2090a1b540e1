// vi's keys, each row a text with the cursor before the letter behind |, what is typed, and what stands there then.
import fc from "fast-check";
import { expect, test } from "vitest";
import { ViKeys } from "../../../src/surfaces/tui/vi-keys.ts";

const shown = (text: string, at: number): string => `${text.slice(0, at)}|${text.slice(at)}`;

function typed(begin: string, letters: string): string {
  const vi = new ViKeys();
  vi.normal();
  let at = begin.indexOf("|");
  let text = begin.replace("|", "");
  for (const letter of letters) ({ text, at } = vi.press(letter, text, at));
  return `${shown(text, at)}${vi.mode === "insert" ? " +" : ""}`;
}

test.each([
  ["|mend the test", "w", "mend |the test"],
  ["|mend the test", "2w", "mend the |test"],
  ["|mend the test", "e", "men|d the test"],
  ["mend the te|st", "b", "mend the |test"],
  ["a-b |c", "bb", "a|-b c"],
  ["a-b |c", "B", "|a-b c"],
  ["  mend| it", "^", "  |mend it"],
  ["  mend| it", "0", "|  mend it"],
  ["|mend it", "$", "mend i|t"],
  ["one\ntw|o\nthree", "gg", "|one\ntwo\nthree"],
  ["|one\ntwo", "G", "one\n|two"],
  ["|find(x)", "f(", "find|(x)"],
  ["|find(x)", "t(", "fin|d(x)"],
  ["|mend the test", "dw", "|the test"],
  ["|mend\nthe test", "dw", "|\nthe test"],
  ["|mend the test", "d2w", "|test"],
  ["|mend the test", "cw", "| the test +"],
  ["mend |the test", "D", "mend| "],
  ["mend |the test", "C", "mend | +"],
  ["|one\ntwo\nthree", "dd", "|two\nthree"],
  ["one\n|two", "dd", "|one"],
  ["|one\ntwo\nthree", "2dd", "|three"],
  ["one\nt|wo", "cc", "one\n| +"],
  ["|one two", "dwp", "tone| wo"],
  ["|one\ntwo", "yyp", "one\n|one\ntwo"],
  ["|one\ntwo", "ddp", "two\n|one"],
  ["a|bc", "x", "a|c"],
  ["a|bc", "X", "|bc"],
  ["a|bc", "rz", "a|zc"],
  ["a|bc", "~", "aB|c"],
  ["|one\n  two", "J", "one| two"],
  ["a|bc", "a", "ab|c +"],
  ["a|bc", "I", "|abc +"],
  ["a|bc", "A", "abc| +"],
  ["|one\ntwo", "o", "one\n|\ntwo +"],
  ["one\n|two", "O", "one\n|\ntwo +"],
  ["|a\n\nb", "3~", "|A\n\nb"],
  ["a\n|\nb", "x", "a\n|\nb"],
  ["a\n|\nb", "rz", "a\n|\nb"],
  ["a\n|\nb", "~", "a\n|\nb"],
  ["|👩‍🚀 e\u0301!", "x", "| e\u0301!"],
  ["|👩‍🚀 e\u0301!", "2lx", "👩‍🚀 |!"],
  ["👩‍🚀|!", "X", "|!"],
  ["a|👩‍🚀", "r-", "a|-"],
  ["|👩‍🚀", "$", "|👩‍🚀"],
  ["|mend the test", "dq", "|mend the test"],
])("%j %s", (begin, letters, end) => {
  expect(typed(begin, letters)).toBe(end);
});

test("property: whatever is typed, the place stays within the text", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(..."ab (\n") }),
      fc.string({ unit: fc.constantFrom(..."wbe0$^gGftdcyxXpPJrao2~D\n(b") }),
      (begin, letters) => {
        const vi = new ViKeys();
        vi.normal();
        let [text, at] = [begin, 0];
        for (const letter of letters) {
          if (vi.mode === "insert") vi.normal();
          ({ text, at } = vi.press(letter, text, at));
          expect(at).toBeGreaterThanOrEqual(0);
          expect(at).toBeLessThanOrEqual(text.length);
        }
      },
    ),
  );
});
