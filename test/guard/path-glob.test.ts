// Path globs of rules: what they mean, and that no pattern of a repository holds fettle up.
import fc from "fast-check";
import { expect, test } from "vitest";
import { pathGlobMatches } from "../../src/base/path-glob.ts";
import { cpuClock } from "../support/cpu.ts";

test.each([
  ["src/**", ["src/a", "src/a/b", "src/"], ["src", "xsrc/a"]],
  ["**/x", ["x", "a/x", "a/b/x", "/x"], ["ax", "x/a", "a/xx"]],
  ["a/**/b", ["a/b", "a/c/b", "a/c/d/b"], ["a/cb", "ab"]],
  ["*.ts", ["a.ts", ".ts"], ["a/b.ts", "a.tsx"]],
  ["?/*", ["a/", "a/b"], ["/b", "ab/c", "a/b/c"]],
  ["a.b", ["a.b"], ["axb"]],
  ["**", ["", "a/b", "a\nb"], []],
  ["", [""], ["a"]],
] as const)("%j", (glob, yes, no) => {
  for (const path of yes) expect([path, pathGlobMatches(glob, path)]).toEqual([path, true]);
  for (const path of no) expect([path, pathGlobMatches(glob, path)]).toEqual([path, false]);
});

/** The same by a regular expression, which is right and may take for ever. */
const slow = (glob: string): RegExp => {
  const meanings: Record<string, string> = { "**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]" };
  const source = glob.split(/(\*\*\/|\*\*|\*|\?)/).map((piece) => meanings[piece] ?? piece.replaceAll(".", "\\."));
  return new RegExp(`^${source.join("")}$`, "s");
};

test("property: it means what a regular expression would", () => {
  const glob = fc.array(fc.constantFrom("**/", "**", "*", "?", "a", "b", "/", "."), { maxLength: 7 });
  const path = fc.array(fc.constantFrom("a", "b", "/", "."), { maxLength: 10 });
  fc.assert(
    fc.property(glob, path, (pieces, parts) => {
      const [pattern, text] = [pieces.join(""), parts.join("")];
      expect(pathGlobMatches(pattern, text)).toBe(slow(pattern).test(text));
    }),
    { numRuns: 3000 },
  );
});

test("patterns that make a backtracking matcher hang are decided at once", () => {
  const spent = cpuClock();
  expect(pathGlobMatches(`${"**/".repeat(30)}x`, `/w/${"a/".repeat(200)}y`)).toBe(false);
  expect(pathGlobMatches(`${"**/a/".repeat(30)}x`, `${"a/".repeat(200)}y`)).toBe(false);
  expect(pathGlobMatches(`${"*a".repeat(40)}x`, "a".repeat(400))).toBe(false);
  expect(spent()).toBeLessThan(500);
});
