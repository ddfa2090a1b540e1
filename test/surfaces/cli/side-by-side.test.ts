// Diffs with before and after beside each other: nothing is lost, words are marked, and no line is wider than the terminal.
import { expect, test } from "vitest";
import { renderDiff } from "../../../src/surfaces/cli/render/diff.ts";
import { createStyle } from "../../../src/surfaces/cli/text/style.ts";
import { textWidth } from "../../../src/surfaces/cli/text/width.ts";
import type { Diff } from "../../../src/protocol/result.ts";

const patch = `@@ -1,4 +1,5 @@
 const first = 1;
-export const add = (a, b) => a - b;
+export const add = (a, b) => a + b;
+export const wide = "日本語${"x".repeat(80)}";
 // the end
-gone();
`;
const diff: Diff = { files: [{ path: "src/add.js", change: "modified", added: 2, removed: 2, patch }] };

test("with room, each line stands beside what took its place; without, the diff is unified", () => {
  const style = createStyle({ colour: false, unicode: true });
  const lines = renderDiff(diff, { style, width: 120, beside: true });
  expect(lines.join("\n")).toMatchInlineSnapshot(`
    "src/add.js  modified  +2 −2
      1   const first = 1;                                     │   1   const first = 1;
      2 - export const add = (a, b) => a - b;                  │   2 + export const add = (a, b) => a + b;
                                                               │   3 + export const wide = "日本語xxxxxxxxxxxxxxxxxxxxxxxxx
                                                               │       xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
                                                               │       xxx";
      3   // the end                                           │   4   // the end
      4 - gone();                                              │"
  `);
  expect(lines.filter((line) => textWidth(line) > 120)).toEqual([]);
  const unified = renderDiff(diff, { style, width: 109, beside: true });
  expect(unified).toEqual(renderDiff(diff, { style, width: 109 }));
  // Where as many lines came as went, the words that differ are marked on both sides.
  const pair = patch.split("\n").filter((line) => !line.includes("wide"));
  const alike: Diff = {
    files: [{ path: "src/add.js", change: "modified", added: 1, removed: 2, patch: pair.join("\n") }],
  };
  const colours = renderDiff(alike, { style: createStyle({ colour: true, unicode: true }), width: 120, beside: true });
  expect(colours.find((line) => line.includes("export"))).toMatch(
    /a \x1b\[7m-\x1b\[27m b;.*│.*a \x1b\[7m\+\x1b\[27m b;/,
  );
});
