import fc from "fast-check";
import { expect, test } from "vitest";
import { escapeLine } from "../../src/base/escape.ts";

test("what hides or moves becomes visible", () => {
  expect(escapeLine("a\x1b[2Jb\x1b]0;title\x07")).toBe("a\\e[2Jb\\e]0;title\\a");
  expect(escapeLine("pay\u202elatot\u200b\u{e0041}\x9b")).toBe("pay\\u{202e}latot\\u{200b}\\u{e0041}\\x9b");
  expect(escapeLine("one\ntwo\tthree\rfour")).toBe("one\\ntwo\\tthree\\rfour");
  expect(escapeLine("größe 日本語 😀 C:\\temp \\n")).toBe("größe 日本語 😀 C:\\temp \\n");
});

test("text that reads like an escape cannot pass for one", () => {
  expect(escapeLine("\\x1b[0m")).toBe("\\\\x1b[0m");
  expect(escapeLine("\x1b[0m")).not.toBe(escapeLine("\\e[0m"));
});

test("property: nothing unprintable is left and nothing visible is lost", () => {
  const hidden = fc.constantFrom("\x1b", "\x9b", "\u202e", "\u200d", "\u{e0041}", "\ufeff", "\0", "\u2028");
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.string({ unit: "binary", maxLength: 20 }), hidden), { maxLength: 20 }),
      (pieces) => {
        const escaped = escapeLine(pieces.join(""));
        expect(escaped).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u);
      },
    ),
  );
});
