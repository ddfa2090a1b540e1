import fc from "fast-check";
import { expect, test } from "vitest";
import { expandBraces } from "../../../src/guard/command-line/syntax/braces.ts";
import { globFilter } from "../../../src/io/files/ignored.ts";
import { judge } from "./facts.ts";

/** Patterns as somebody would write them to exhaust who expands them. */
const piece = fc.oneof(
  fc.constantFrom(
    "{a,b}",
    "{a,{b,c}}",
    "{",
    "}",
    ",",
    "*",
    "**",
    "?",
    "[a-z]",
    "[",
    "!",
    "{1..9}",
    "{z..a}",
    "/",
    "a",
    "\\",
    "$(",
    "${",
  ),
  fc.string({ maxLength: 4 }),
);
const hostile = fc
  .tuple(fc.array(piece, { minLength: 1, maxLength: 8 }), fc.integer({ min: 1, max: 400 }))
  .map(([pieces, times]) => pieces.join("").repeat(times));

test("property: a glob of a tool is matched, or refused with a sentence; it never grows", () => {
  fc.assert(
    fc.property(hostile, (glob) => {
      try {
        globFilter(glob, "")("src/a/b.ts");
      } catch (error) {
        expect((error as Error).message).toMatch(/^The glob .*use fewer/);
      }
    }),
    { numRuns: 400 },
  );
});

test("twenty groups of braces are refused, eight are matched", () => {
  expect(() => globFilter("{a,b}".repeat(20), "")).toThrow("stands for more than 256 patterns");
  expect(() => globFilter(`*${"a*".repeat(20)}`, "")).toThrow("stars in one name");
  expect(globFilter("{a,b}".repeat(8), "")("abababab")).toBe(true);
  expect(globFilter("src/**/*.{ts,{js,jsx}}", "")("src/x/a.jsx")).toBe(true);
});

test("property: braces of a shell word are expanded to at most 64 words, or not at all", () => {
  fc.assert(
    fc.property(hostile, (text) => {
      expect(expandBraces(text)?.length ?? 0).toBeLessThanOrEqual(64);
    }),
    { numRuns: 400 },
  );
  // Quadratic without the limit: the answer of each is "too many".
  for (const text of ["{".repeat(20_000), "{a,".repeat(9000), `${"{".repeat(9000)}a,b${"}".repeat(9000)}`])
    expect(expandBraces(text)).toBeUndefined();
});

test("a sed suffix is judged by where it leads", () => {
  for (const command of [
    "sed -i'.vscode/*' s/a/b/ tasks.json",
    "sed -i'../x/*' s/a/b/ a.txt",
    "sed --in-place='/home/u/*' s/a/b/ .bashrc",
    "sed -i.git/hooks/ s/a/b/ pre-commit",
    "sed -i'package.jso*' s/a/b/ n",
    "sed -i'*.git/hooks/x' s/a/b/ src/",
  ])
    expect([command, judge(command).risk]).not.toEqual([command, "L1"]);
  expect(judge("sed -i'/home/u/*' s/a/b/ .bashrc").risk).toBe("L3");
  expect(judge("sed -i.bak s/a/b/ src/x.ts").risk).toBe("L1");
});
