import fc from "fast-check";
import { expect, test } from "vitest";
import { editText } from "../../src/base/edit-text.ts";
import { byteLength, headTail } from "../../src/base/head-tail.ts";
import { answerJson, jsonText } from "../../src/base/json-text.ts";
import { countChange, matchLines, splitLines } from "../../src/base/line-match.ts";
import { references } from "../../src/base/references.ts";
import { cpuClock } from "../support/cpu.ts";

const anyText = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 400 }),
  fc.string({ unit: "binary", maxLength: 400 }),
);

test("head and tail keep to their bytes, are parts of the text, and add up", () => {
  fc.assert(
    fc.property(anyText, fc.nat(100), fc.nat(100), (raw, head, tail) => {
      const text = raw.toWellFormed();
      const cut = headTail(text, head, tail);
      expect(byteLength(text)).toBe(Buffer.byteLength(text));
      expect(Buffer.byteLength(cut.head) + cut.left + Buffer.byteLength(cut.tail)).toBe(Buffer.byteLength(text));
      expect(text.startsWith(cut.head)).toBe(true);
      expect(text.endsWith(cut.tail)).toBe(true);
      if (cut.left === 0 && cut.tail === "") expect(cut.head).toBe(text);
      else expect([Buffer.byteLength(cut.head) <= head, Buffer.byteLength(cut.tail) <= tail]).toEqual([true, true]);
    }),
    { numRuns: 1000 },
  );
});

test("a cut falls on a line end that is near", () => {
  const text = Array.from({ length: 100 }, (_, index) => `line ${index}`).join("\n");
  const cut = headTail(text, 100, 100);
  expect(cut.head.endsWith("\n")).toBe(true);
  expect(cut.tail.startsWith("line ")).toBe(true);
});

test("matched lines ascend, are equal, and as many as possible for small texts", () => {
  const lines = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 10 });
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const kept = [...matchLines(before, after)].flatMap((from, to) => (from < 0 ? [] : [[from, to] as const]));
      for (const [from, to] of kept) expect(before[from]).toBe(after[to]);
      for (const [index, [from]] of kept.entries())
        if (index > 0) expect(from).toBeGreaterThan(kept[index - 1]?.[0] ?? -1);
      expect(kept.length).toBe(longest(before, after));
    }),
    { numRuns: 1000 },
  );
});

function longest(left: string[], right: string[]): number {
  const [first, ...rest] = left;
  if (first === undefined || right.length === 0) return 0;
  const at = right.indexOf(first);
  return Math.max(longest(rest, right), at < 0 ? 0 : 1 + longest(rest, right.slice(at + 1)));
}

test("changes are counted in lines", () => {
  expect(countChange("a\nb\nc\n", "a\nx\nc\nd\n")).toEqual({ added: 2, removed: 1 });
  expect(countChange("", "a")).toEqual({ added: 1, removed: 0 });
  expect(countChange("a\n".repeat(9000), "b\n".repeat(9000))).toEqual({ added: 9000, removed: 9000 });
  expect(splitLines("a\n\n")).toEqual(["a", ""]);
});

test("an edit that does not fit says what is nearest or where it is ambiguous", () => {
  const text = "function total(items) {\n    return items.length;\n}\n";
  expect(editText(text, [{ old: "return items.length;", new: "return 0;" }])).toEqual({
    text: "function total(items) {\n    return 0;\n}\n",
  });
  expect(editText(text, [{ old: "function total(items) {\n  return items.length;", new: "" }])).toEqual({
    problem: expect.stringMatching(/Closest is lines 1-2, shown below; what differs is indentation\.$/),
    excerpt: "function total(items) {\n    return items.length;",
  });
  expect(editText("x x x", [{ old: "x", new: "y" }])).toEqual({ problem: expect.stringMatching(/occurs 3 times/) });
  expect(editText("x x", [{ old: "x", new: "y", all: true }])).toEqual({ text: "y y" });
  expect(editText("x", [{ old: "zzz", new: "y" }])).toEqual({ problem: expect.stringMatching(/does not occur/) });
  expect(
    editText("a b", [
      { old: "a", new: "c" },
      { old: "a", new: "d" },
    ]),
  ).toEqual({
    text: "c b",
    left: [{ problem: expect.stringMatching(/^Edit 2: Edit 1 of this call changed its old text/) }],
  });
});

test("words of a script that may be paths are found, in a text of one endless word, too", () => {
  const script = "sh ./a/b.sh -x ../c && . lib.sh; node d. --e=/f/g- @h/i\nfrom pkg.mod import x\n";
  expect(references(script)).toEqual(["./a/b.sh", "../c", "lib.sh", "/f/g", "@h/i", "pkg.mod", "pkg/mod"]);
  expect(references("a.b c.d", 1)).toEqual(["a.b"]);
  const spent = cpuClock();
  expect(references("a".repeat(1_000_000))).toEqual([]);
  expect(references(`${"/".repeat(1_000_000)} a/b`)).toEqual(["a/b"]);
  expect(spent()).toBeLessThan(1000);
});

test("the JSON of an answer is all of it, or what its fence holds", () => {
  expect(answerJson('{"a": 1}\n')).toEqual({ a: 1 });
  expect(answerJson('Here it is:\n```json\n{"a": "```\\n"}\n```\n')).toEqual({ a: "```\n" });
  expect(answerJson("```\n\n[1]\n```")).toEqual([1]);
  for (const text of ['{"a": 1}\n```\n[2]\n```', "```json\n```", "```json {}\n```", "```\n{}```"])
    expect(jsonText(text)).toBe(text);
  expect(jsonText("```\nplain\n```\n```json\n{}\n```")).toBe("{}");
  const spent = cpuClock();
  jsonText(`${"```\n".repeat(100_000)}!`);
  jsonText(`${"```\n".repeat(100_000)}{\n\`\`\``);
  expect(spent()).toBeLessThan(1000);
});

test("an edit that changes nothing spoils no other edit, and alone it is told", () => {
  const idle = { old: "a", new: "a" };
  expect(editText("a b", [idle, { old: "b", new: "c" }])).toEqual({ text: "a c" });
  expect(editText("a b", [idle])).toEqual({ problem: expect.stringMatching(/do not differ/) });
  expect(editText("a b", [idle, idle])).toEqual({ problem: expect.stringMatching(/do not differ/) });
});
