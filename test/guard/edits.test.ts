import fc from "fast-check";
import { expect, test } from "vitest";
import { applyReplacement, type TextEdit } from "../../src/base/edits.ts";
import { cpuClock } from "../support/cpu.ts";

const edit = (old: string, next: string, all?: boolean): TextEdit => ({ old, new: next, all });

test("replaces what is unique, or all", () => {
  expect(applyReplacement("a b c", edit("b", "x"))).toEqual({ text: "a x c", count: 1 });
  expect(applyReplacement("a b b", edit("b", "x", true))).toEqual({ text: "a x x", count: 2 });
  expect(applyReplacement("a\nb\nb b", edit("b", "x"))).toEqual({ problem: "ambiguous", count: 3, lines: [2, 3, 3] });
  expect(applyReplacement("a", edit("a", "a"))).toEqual({ problem: "same" });
  expect(applyReplacement("", edit("", "new"))).toEqual({ text: "new", count: 1 });
  expect(applyReplacement("a", edit("", "new"))).toEqual({ problem: "empty" });
  expect(applyReplacement("a $& b", edit("a", "$&$1"))).toEqual({ text: "$&$1 $& b", count: 1 });
});

test("line ends and byte order mark of the file stay", () => {
  expect(applyReplacement("a\r\nb\r\nc\r\n", edit("a\nb\n", "x\ny\nz\n"))).toEqual({
    text: "x\r\ny\r\nz\r\nc\r\n",
    count: 1,
  });
  expect(applyReplacement("a\r\nb\r\n", edit("a", "x\ny"))).toEqual({ text: "x\r\ny\r\nb\r\n", count: 1 });
  expect(applyReplacement("a\r\nb\r\nc\nd\n", edit("c\nd", "c\ne\nf"))).toEqual({
    text: "a\r\nb\r\nc\ne\nf\n",
    count: 1,
  });
  expect(applyReplacement("\uFEFFa\r\nb", edit("a\nb", "c\nd"))).toEqual({ text: "\uFEFFc\r\nd", count: 1 });
  expect(applyReplacement("\uFEFFa", edit("\uFEFFa", "b"))).toEqual({ text: "\uFEFFb", count: 1 });
  expect(applyReplacement("a\r\nb", edit("a\r\nb", "a\nb"))).toEqual({ text: "a\nb", count: 1 });
});

test("a near miss names the place and the difference", () => {
  const text = "function a() {\n\tconst name = 'x';\n\treturn name;\n}\n";
  const missing = (old: string) => {
    const outcome = applyReplacement(text, edit(old, "new"));
    if (!("problem" in outcome) || outcome.problem !== "missing") throw new Error("found");
    return outcome.near;
  };
  expect(missing("  const name = 'x';\n  return name;")).toMatchObject({ from: 2, to: 3, differs: ["indentation"] });
  expect(missing('\tconst name = "x";')).toMatchObject({ from: 2, differs: ["quotes"] });
  expect(missing("\tconst  name='x';")).toMatchObject({ from: 2, differs: ["whitespace"] });
  expect(missing("\treturn Name;")).toMatchObject({ from: 3, differs: ["case"] });
  expect(missing("\tconst name = 'x';\n\treturn value;")).toMatchObject({
    from: 2,
    to: 3,
    first: { line: 3, wanted: "\treturn value;", found: "\treturn name;" },
  });
  expect(missing("nothing like it anywhere")).toBeUndefined();
});

const line = fc.constantFrom("", "a", "b b", "  indented", "x\ty", "'q'");
const lines = fc.array(line, { minLength: 1, maxLength: 8 });

test("property: with \\n only it is the plain replacement", () => {
  fc.assert(
    fc.property(lines, lines, lines, (left, old, right) => {
      const wanted = `«${old.join("\n")}»`;
      const text = `${left.join("\n")}${wanted}${right.join("\n")}`;
      expect(applyReplacement(text, edit(wanted, "new\nlines"))).toEqual({
        text: text.replace(wanted, () => "new\nlines"),
        count: 1,
      });
    }),
  );
});

test("property: in a CRLF file the same edit gives the same text with CRLF", () => {
  fc.assert(
    fc.property(lines, lines, lines, fc.boolean(), (left, old, next, all) => {
      const text = `${[...left, ...old, ...left].join("\n")}\n`;
      const plain = applyReplacement(text, edit(`${old.join("\n")}\n`, `${next.join("\n")}\n`, all));
      const outcome = applyReplacement(
        text.replaceAll("\n", "\r\n"),
        edit(`${old.join("\n")}\n`, `${next.join("\n")}\n`, all),
      );
      if ("problem" in plain) expect(outcome).toMatchObject({ problem: plain.problem });
      else expect(outcome).toEqual({ text: plain.text.replaceAll("\n", "\r\n"), count: plain.count });
    }),
  );
});

test("property: in a file of mixed line ends nothing but the place changes", () => {
  const mixed = fc
    .array(fc.tuple(line, fc.constantFrom("\n", "\r\n", "\r")), { maxLength: 8 })
    .map((all) => all.flat().join(""));
  fc.assert(
    fc.property(mixed, mixed, (left, right) => {
      const outcome = applyReplacement(`${left}<one\r\ntwo>${right}`, edit("<one\ntwo>", "<three\nfour>"));
      expect(outcome).toEqual({ text: `${left}<three\r\nfour>${right}`, count: 1 });
    }),
  );
});

test("5 MB take little time, found or not", () => {
  const text = Array.from({ length: 130_000 }, (_, at) => `  const value${at} = compute(${at});`).join("\r\n");
  const spent = cpuClock();
  expect(applyReplacement(text, edit("const value77777 = compute(77777);\n", "x\n"))).toMatchObject({ count: 1 });
  expect(applyReplacement(text, edit("const value77777 = compute( 77777);", "x"))).toMatchObject({
    near: { from: 77778 },
  });
  expect(applyReplacement(text, edit("const value77777 = compile(nothing);", "x"))).toMatchObject({
    near: { from: 77778 },
  });
  expect(spent()).toBeLessThan(5000);
});
