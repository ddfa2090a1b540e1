import { applyPatch } from "diff";
import fc from "fast-check";
import { expect, test } from "vitest";
import { lineDiff, wholeDiff } from "../../src/base/line-diff.ts";
import { cpuClock } from "../support/cpu.ts";

const patched = (before: string, patch: string) =>
  applyPatch(before, `--- a\n+++ b\n${patch}`, { autoConvertLineEndings: false });

test("a small change has its three lines around", async () => {
  const before = Array.from({ length: 20 }, (_, at) => `line ${at + 1}\n`).join("");
  expect(await lineDiff(before, before.replace("line 10\n", "changed\n"))).toEqual({
    added: 1,
    removed: 1,
    patch: "@@ -7,7 +7,7 @@\n line 7\n line 8\n line 9\n-line 10\n+changed\n line 11\n line 12\n line 13\n",
  });
});

test("new, deleted and equal texts", () => {
  expect(wholeDiff("", "a\nb")).toEqual({
    added: 2,
    removed: 0,
    patch: "@@ -0,0 +1,2 @@\n+a\n+b\n\\ No newline at end of file\n",
  });
  expect(wholeDiff("a\n", "")).toEqual({ added: 0, removed: 1, patch: "@@ -1 +0,0 @@\n-a\n" });
  expect(wholeDiff("a", "a").patch).toBe("");
});

test("property: the patch turns one text into the other", async () => {
  const text = fc
    .array(fc.constantFrom("a\n", "b\n", "c\n", "\n", "long line\n", "x\r\n"), { maxLength: 14 })
    .map((lines) => lines.join(""));
  const tail = fc.constantFrom("", "end", "end\n");
  await fc.assert(
    fc.asyncProperty(text, text, tail, tail, async (left, right, leftTail, rightTail) => {
      const before = left + leftTail;
      const after = right + rightTail;
      const { patch, added, removed } = await lineDiff(before, after);
      if (before === after) {
        expect(patch).toBe("");
        return;
      }
      expect({ patch, text: patched(before, patch) }).toEqual({ patch, text: after });
      expect(patch.split("\n").filter((line) => line.startsWith("+"))).toHaveLength(added);
      expect(patch.split("\n").filter((line) => line.startsWith("-"))).toHaveLength(removed);
    }),
    { numRuns: 500 },
  );
});

test("a small edit of a huge text is cheap", async () => {
  const before = Array.from({ length: 130_000 }, (_, at) => `const value${at} = compute(${at});\n`).join("");
  const spent = cpuClock();
  const { added, removed } = await lineDiff(before, before.replace("value77777", "renamed"));
  expect([added, removed]).toEqual([1, 1]);
  expect(spent()).toBeLessThan(500);
});
