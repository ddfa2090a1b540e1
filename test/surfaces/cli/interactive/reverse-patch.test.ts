import { applyPatch, createPatch } from "diff";
import fc from "fast-check";
import { expect, test } from "vitest";
import { reversePatch } from "../../../../src/base/reverse-patch.ts";

/** Unified hunks, from the first `@@`. */
function hunksOf(before: string, after: string): string {
  const patch = createPatch("a", before, after, "", "", { context: 3 });
  return patch.slice(patch.indexOf("@@")).replace(/\n$/, "");
}

test("what goes stands before what comes, with the line numbers of the other side", () => {
  const patch = "@@ -1,3 +1,4 @@ f()\n one\n-two\n+2\n+2b\n three";
  expect(reversePatch(patch)).toBe("@@ -1,4 +1,3 @@ f()\n one\n-2\n-2b\n+two\n three");
});

test("the mark of a missing last newline stays with its line", () => {
  const patch = "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b";
  expect(reversePatch(patch)).toBe("@@ -1 +1 @@\n-b\n+a\n\\ No newline at end of file");
});

test("the reversed hunks make the old text of the new one", () => {
  const text = fc.array(fc.constantFrom("a", "b", "c", "d", ""), { maxLength: 24 }).map((lines) => lines.join("\n"));
  fc.assert(
    fc.property(text, text, (before, after) => {
      fc.pre(before !== after);
      const reversed = reversePatch(hunksOf(before, after));
      expect(applyPatch(after, `--- a\n+++ a\n${reversed}\n`)).toBe(before);
      expect(reversed).not.toMatch(/^\+.*\n-/m);
    }),
    { numRuns: 300 },
  );
});
