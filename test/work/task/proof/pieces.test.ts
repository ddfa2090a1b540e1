// The pieces of a change: each is taken back by itself, and all of them are the whole change.
import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseDiff } from "../../../../src/io/snapshot/patch.ts";
import { isRemark, piecesOf, pieceText, withoutPieces } from "../../../../src/work/task/proof/pieces.ts";
import { temporaryFolder, writeFiles } from "../../../support/folders.ts";

function changed(before: string, after: string) {
  const folder = temporaryFolder();
  writeFiles(folder, { a: before, b: after });
  const args = ["hash-object", "-w", "--stdin"];
  execFileSync("git", ["init", "--quiet", folder]);
  const tree = (text: string) => {
    const blob = execFileSync("git", args, { cwd: folder, input: text, encoding: "utf8" }).trim();
    return execFileSync("git", ["mktree"], {
      cwd: folder,
      input: `100644 blob ${blob}\ta.js\n`,
      encoding: "utf8",
    }).trim();
  };
  const more = ["diff-tree", "-r", "-p", "--raw", "--numstat", "--find-renames", "--full-index"];
  return parseDiff(execFileSync("git", [...more, tree(before), tree(after)], { cwd: folder })).flatMap(piecesOf);
}

test("property: with all pieces taken back a text is what it was, with none what it is", () => {
  const lines = fc.array(fc.constantFrom("a", "b", "", "-- c", "++ d"), { maxLength: 30 });
  const text = lines.map((each) => each.map((line) => `${line}\n`).join(""));
  fc.assert(
    fc.property(text, text, (before, after) => {
      fc.pre(before !== after && before !== "" && after !== "");
      const pieces = changed(before, after);
      expect(withoutPieces(after, pieces)).toBe(before);
      expect(withoutPieces(after, [])).toBe(after);
    }),
    { numRuns: 8 },
  );
});

test("pieces are told by their lines as they are now", () => {
  const before = "1\n2\n3\n4\n5\n6\n7\n8\n";
  const pieces = changed(before, "1\nx\ny\n3\n4\n5\n7\n8\n9\n");
  expect(pieces.map(pieceText)).toEqual(["a.js:2-3", "a.js:7 (lines taken out)", "a.js:9"]);
  expect(pieces.map((piece) => withoutPieces("1\nx\ny\n3\n4\n5\n7\n8\n9\n", [piece]).split("\n").length)).toEqual([
    9, 11, 9,
  ]);
});

test("remarks for people are no code that a test is to notice; what a tool reads, and lines of a text, are", () => {
  const remarks = (path: string, before: string, after: string) =>
    changed(before, after).map((piece) => isRemark({ ...piece, path }, after));
  expect(remarks("a.ts", "a\nb\n", "/**\n * Says a.\n */\na\nb // c\n")).toEqual([true, false]);
  expect(remarks("a.py", "x = 1\n", "# one\nx = 1\n")).toEqual([true]);
  expect(remarks("a.py", "x = 1\n", "# type: ignore\nx = 1\n")).toEqual([false]);
  expect(remarks("a.ts", "a\n", "// prettier-ignore\na\n")).toEqual([false]);
  expect(remarks("a.ts", "const a = `\n`;\n", "const a = `\n * item\n`;\n")).toEqual([false]);
  expect(remarks("a.c", "a\n", "#define a b\na\n")).toEqual([false]);
});
