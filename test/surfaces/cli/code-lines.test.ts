// Code in colours as it comes, and the words that a change has changed.
import fc from "fast-check";
import { lexer } from "marked";
import { expect, test } from "vitest";
import { highlight } from "../../../src/surfaces/cli/render/highlight.ts";
import { MarkdownStream, renderMarkdown } from "../../../src/surfaces/cli/render/markdown.ts";
import { renderDiff } from "../../../src/surfaces/cli/render/diff.ts";
import { createStyle, type Look } from "../../../src/surfaces/cli/text/style.ts";

const look: Look = { style: createStyle({ colour: true, unicode: true }), width: 60 };
const { style } = look;
const fence = "```";
const code = '/* one\n two */\nconst a = "x"; // end\nconst b = `in\nside ${1 + 2}`;\nlet last = true;\n';
const source = `Look:\n\n${fence}js title="a.js"\n${code}${fence}\n\nThe end.\n\n- in a list\n\n  ${fence}py\n  x = 1\n  ${fence}\n`;

test("code has the colours of its language, however its lines come; what is still open colours the next line", () => {
  const parts = { lexer, highlight };
  const whole = renderMarkdown(source, parts, look);
  expect(whole.slice(2, 8)).toEqual([
    `  ${style.dim("/* one")}`,
    `  ${style.dim(" two */")}`,
    `  ${style.magenta("const")} a = ${style.green('"x"')}; ${style.dim("// end")}`,
    `  ${style.magenta("const")} b = ${style.green("`in")}`,
    expect.stringContaining(style.cyan("2")),
    `  ${style.magenta("let")} last = ${style.cyan("true")};`,
  ]);
  expect(whole.at(-1)).toContain(style.cyan("1"));
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), (size) => {
      const stream = new MarkdownStream(() => parts);
      const lines = [];
      for (let at = 0; at < source.length; at += size) {
        lines.push(...stream.push(source.slice(at, at + size), look));
        stream.preview(look);
      }
      expect([...lines, ...stream.end(look)]).toEqual(whole);
    }),
  );
});

test("lines of a code block come as they are finished", () => {
  const stream = new MarkdownStream(() => ({ lexer }));
  stream.push("Look:\n\n```\n", look);
  expect(stream.push("first\nsec", look)).toEqual([`  ${style.cyan("first")}`]);
  expect(stream.preview(look).join("")).toContain("sec");
});

test("a list comes item by item, as drawn at once: numbered, nested, with blank lines between", () => {
  const items = Array.from({ length: 12 }, (_, at) => `1. item ${at}\n   - below it\n   - and *more*\n`).join("");
  const loose = "- [x] first\n\n- second\n\n  of two paragraphs\n\n- third\n";
  const lists = `Before:\n${items}\nBetween.\n\n7) seven\n8) eight\n\n${loose}\n12 is no item.\n`;
  const whole = renderMarkdown(lists, { lexer }, look);
  for (let size = 1; size <= 30; size++) {
    const stream = new MarkdownStream(() => ({ lexer }));
    const lines = [];
    for (let at = 0; at < lists.length; at += size) {
      lines.push(...stream.push(lists.slice(at, at + size), look));
      stream.preview(look);
    }
    expect([...lines, ...stream.end(look)]).toEqual(whole);
  }
  const stream = new MarkdownStream(() => ({ lexer }));
  expect(stream.push("1. one\n1. two\n1. th", look)).toEqual([`${style.dim("1. ")}one`]);
  expect(stream.preview(look)).toEqual([`${style.dim("2. ")}two`, `${style.dim("3. ")}th`]);
  expect(stream.push("ree\n", look)).toEqual([`${style.dim("2. ")}two`]);
  expect(stream.end(look)).toEqual([`${style.dim("3. ")}three`]);
});

test("unknown languages and very long lines have one colour, and a long answer looks at each line once", () => {
  const drawn = (text: string) => renderMarkdown(text, { lexer, highlight }, look);
  expect(drawn(`${fence}nosuch\nlet a\n${fence}`)).toEqual([`  ${style.cyan("let a")}`]);
  expect(drawn(`${fence}js\nlet ${"a".repeat(3000)}\n${fence}`)[0]).toContain("\x1b[36m");
  const seen: number[] = [];
  const counted = {
    lexer,
    highlight: (language: string, text: string) => (seen.push(text.split("\n").length), highlight(language, text)),
  };
  renderMarkdown(`${fence}js\n${"const a = 1;\n".repeat(500)}${fence}`, counted, look);
  expect([seen.length, Math.max(...seen)]).toEqual([500, 2]);
});

test("a changed line marks its changed words; a line that is another one altogether marks none", () => {
  const patch =
    "@@ -1,3 +1,3 @@\n a\n-const total = price * count;\n+const total = price * (count + 1);\n-gone\n+something else here\n";
  const diff = { files: [{ path: "a.js", change: "modified" as const, added: 2, removed: 2, patch }] };
  const lines = renderDiff(diff, look, { bare: true });
  expect(lines[1]).not.toContain("\x1b[7m");
  expect(lines[2]).toBe(
    `${style.dim("  2")} ${style.green(`+ const total = price * ${style.inverse("(")}count${style.inverse(" + 1)")};`)}`,
  );
  expect(lines.slice(3).join()).not.toContain("\x1b[7m");
  const wrapped = renderDiff(diff, { ...look, width: 20 }, { bare: true });
  const marked = wrapped
    .join("")
    .match(/\x1b\[7m[^\x1b]*/g)
    ?.map((part) => part.slice(4));
  expect(marked?.join("|")).toBe("(| + 1)");
  expect(renderDiff(diff, { ...look, style: createStyle({ colour: false, unicode: true }) }).join("")).not.toContain(
    "\x1b",
  );
});
