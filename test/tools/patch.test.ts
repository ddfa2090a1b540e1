import fc from "fast-check";
import { expect, test } from "vitest";
import { applyHunks } from "../../src/base/hunks.ts";
import { parsePatch } from "../../src/base/patch.ts";
import { cpuClock } from "../support/cpu.ts";

const patch = (...lines: string[]) => ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
const changes = (text: string) => {
  const parsed = parsePatch(text);
  if ("problem" in parsed) throw new Error(parsed.problem);
  return parsed.changes;
};
const problem = (text: string) => {
  const parsed = parsePatch(text);
  return "problem" in parsed ? parsed.problem : "";
};
const updated = (text: string, ...hunkLines: string[]) => {
  const [change] = changes(patch("*** Update File: a", ...hunkLines));
  if (change?.op !== "edit") throw new Error("no update");
  return applyHunks(text, change.edits);
};

test("adds, updates, deletes and moves are told apart", () => {
  const text = patch(
    "*** Add File: new/b.txt",
    "+one",
    "+",
    "*** Update File: a.txt",
    "@@ def f():",
    " keep",
    "-old",
    "+new",
    "*** Delete File: c.txt",
    "*** Update File: d.txt",
    "*** Move to: e.txt",
  );
  expect(changes(text)).toEqual([
    { op: "write", path: "new/b.txt", content: "one\n\n" },
    { op: "edit", path: "a.txt", edits: [{ old: "keep\nold\n", new: "keep\nnew\n", place: { after: ["def f():"] } }] },
    { op: "delete", path: "c.txt" },
    { op: "move", path: "d.txt", to: "e.txt", edits: [] },
  ]);
});

test("what models put around and into a patch is tolerated", () => {
  const text = `apply_patch <<'EOF'\n${patch("*** Update File: a", "@@ -1,2 +1,2 @@ section", " x", "-y", "+z", "")}\nEOF\n`;
  expect(changes(text)).toEqual([
    { op: "edit", path: "a", edits: [{ old: "x\ny\n", new: "x\nz\n", place: { after: [] } }] },
  ]);
  expect(changes(text.replaceAll("\n", "\r\n"))).toEqual(changes(text));
});

test("a line that looks like the end is a line of the file, and a second patch is no part of the first", () => {
  const hunk = [
    "*** Update File: guide.md",
    "@@",
    " *** Begin Patch",
    "-a",
    "+b",
    " *** End Patch",
    "*** Delete File: c",
  ];
  expect(changes(patch(...hunk))).toEqual([
    {
      op: "edit",
      path: "guide.md",
      edits: [
        {
          old: "*** Begin Patch\na\n*** End Patch\n",
          new: "*** Begin Patch\nb\n*** End Patch\n",
          place: { after: [] },
        },
      ],
    },
    { op: "delete", path: "c" },
  ]);
  expect(problem(`${patch("*** Delete File: a")}\n${patch("*** Delete File: b")}`)).toMatch(/Line 3 of the patch/);
});

test("each slip is named with its line", () => {
  expect(problem("no patch")).toMatch(/must start with/);
  expect(problem("*** Begin Patch\n*** Add File: a\n+x")).toMatch(/no line "\*\*\* End Patch"/);
  expect(problem(patch())).toMatch(/names no file/);
  expect(problem(patch("*** Update File: a"))).toMatch(/no hunk/);
  expect(problem(patch("*** Update File: a", "@@", " x"))).toMatch(/no "-" or "\+" line/);
  expect(problem(patch("*** Update File: a", "@@", "x", "-y"))).toMatch(/^Line 4 .*starts with/);
  expect(problem(patch("*** Add File: a", "x"))).toMatch(/^Line 3 .*starts with "\+"/);
  expect(problem(patch("*** Add File: "))).toMatch(/path is missing/);
  expect(problem(patch("*** Delete File: a", "*** Delete File: ./a"))).toMatch(/occurs twice/);
  expect(problem(patch("*** Rename File: a"))).toMatch(/expected/);
});

test("the parser never throws and never names a file twice", () => {
  const line = fc.oneof(
    fc.constantFrom("*** Begin Patch", "*** End Patch", "*** Update File: a", "*** Add File: b", "*** Delete File: a"),
    fc.constantFrom("*** Move to: c", "@@", "@@ x", "@@ -1 +1 @@", "*** End of File", "", " ", "\\ No newline", "\r"),
    fc.string().map((text) => ` ${text}`),
    fc.string().map((text) => `-${text}`),
    fc.string().map((text) => `+${text}`),
    fc.string({ unit: "binary" }),
  );
  const text = fc.array(line, { maxLength: 30 }).map((lines) => lines.join("\n"));
  fc.assert(
    fc.property(
      fc.oneof(
        text,
        text.map((body) => `*** Begin Patch\n${body}\n*** End Patch`),
      ),
      (hostile) => {
        const parsed = parsePatch(hostile);
        if ("problem" in parsed) {
          expect(parsed.problem).not.toBe("");
          return;
        }
        const paths = parsed.changes.flatMap((change) =>
          change.op === "move" ? [change.path, change.to] : [change.path],
        );
        expect(new Set(paths).size).toBe(paths.length);
        for (const change of parsed.changes) {
          if (change.op === "edit" || change.op === "move") applyHunks("x\ny\n", change.edits);
        }
      },
    ),
    { numRuns: 2000 },
  );
});

test("a hunk goes behind its anchor, and the next one behind the hunk", () => {
  const text = "def a():\n  x = 1\n  return x\ndef b():\n  x = 1\n  return x\n";
  expect(updated(text, "@@ def b():", "-  x = 1", "+  x = 2")).toEqual({
    text: "def a():\n  x = 1\n  return x\ndef b():\n  x = 2\n  return x\n",
  });
  expect(updated(text, "@@ def b():", " def b():", "-  x = 1", "+  x = 2")).toEqual({
    text: "def a():\n  x = 1\n  return x\ndef b():\n  x = 2\n  return x\n",
  });
  const both = updated(text, "@@", "-  x = 1", "+  x = 5", "@@", "-  x = 1", "+  x = 6");
  expect(both).toEqual({ text: "def a():\n  x = 5\n  return x\ndef b():\n  x = 6\n  return x\n" });
});

test("a hunk that fits several places without an anchor is refused, with the lines", () => {
  expect(updated("x\ny\nx\n", "-x", "+z")).toMatchObject({ hunk: 1, problem: expect.stringMatching(/lines 1, 3/) });
});

test("hunks out of file order, missing anchors and near misses are named", () => {
  const text = "one\ntwo\nthree\nfour\n";
  expect(updated(`one\n${text}`, "-three", "+3", "@@", "-one", "+1")).toMatchObject({
    hunk: 2,
    problem: expect.stringMatching(/"one" behind line 4 \(hunks stand in file order, unless/),
  });
  expect(updated(text + text, "@@ nowhere", "-one", "+1")).toMatchObject({
    problem: expect.stringMatching(/no line "nowhere"/),
  });
  expect(updated(text, " one", " two", "-thre", "+3")).toMatchObject({
    problem: expect.stringMatching(
      /first 2 lines fit at line 1, but then line 3 of the file is another where the patch has "thre"/,
    ),
    excerpt: "one\ntwo\nthree\nfour",
  });
  expect(updated("a\nb\n", " b", "-c", "+d")).toMatchObject({ problem: expect.stringMatching(/the file ends/) });
});

test("End of File binds a hunk to the last lines", () => {
  expect(updated("x\ny\nx\n", "-x", "+z", "*** End of File")).toEqual({ text: "x\ny\nz\n" });
  expect(updated("x\ny\n", "-x", "+z", "*** End of File")).toMatchObject({
    problem: expect.stringMatching(/do not end/),
  });
});

test("only additions go behind the anchor, or to the end", () => {
  expect(updated("a\nb\n", "@@ a", "+new")).toEqual({ text: "a\nnew\nb\n" });
  expect(updated("a\nb\n", "@@", "+new")).toEqual({ text: "a\nb\nnew\n" });
  expect(updated("", "+new")).toEqual({ text: "new\n" });
  expect(updated("a", "-a")).toEqual({ text: "" });
});

test("trailing whitespace and line ends may differ, and the file keeps its own", () => {
  expect(updated("a  \nb\t\nc\n", " a", "-b", "+B", " c")).toEqual({ text: "a  \nB\nc\n" });
  expect(updated("a\r\nb\r\nc\r\n", " a", "-b", "+B", "+B2", " c")).toEqual({ text: "a\r\nB\r\nB2\r\nc\r\n" });
  expect(updated("  a\n", "-a", "+b")).toMatchObject({ hunk: 1 });
  expect(updated("a\nb", "-b", "+c")).toEqual({ text: "a\nc" });
});

test("a byte order mark and CRLF stay, also in the first line and in a last one without an end", () => {
  expect(updated("\uFEFFa\nb\n", "-a", "+A", " b")).toEqual({ text: "\uFEFFA\nb\n" });
  expect(updated("\uFEFFa\nb\n", "-\uFEFFa", "+A", " b")).toEqual({ text: "\uFEFFA\nb\n" });
  expect(updated("a\r\nb", "-a", "+A")).toEqual({ text: "A\r\nb" });
  expect(updated("a\r\nb", " b", "+c")).toEqual({ text: "a\r\nb\r\nc" });
  expect(updated("a \r\na\r\n", "-a", "+b")).toEqual({ text: "a \r\nb\r\n" });
});

test("property: with CRLF and a byte order mark the same patch gives the same text with both", () => {
  const line = fc.constantFrom("a", "b", "c", "", "a ", "b\t");
  const lines = fc.array(line, { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(lines, fc.integer({ min: 0, max: 5 }), lines, fc.boolean(), (before, at, put, ended) => {
      const text = before.join("\n") + (ended ? "\n" : "");
      const old = before.slice(at % before.length, (at % before.length) + 2);
      const body = [...old.map((each) => `-${each}`), ...put.map((each) => `+${each}`)];
      const plain = updated(text, "@@", ...body);
      const crlf = (each: string) => `\uFEFF${each.replaceAll("\n", "\r\n")}`;
      // Without a single line end there is none that could be kept.
      fc.pre(text.includes("\n"));
      const wanted = "problem" in plain ? plain : { text: crlf(plain.text) };
      expect(updated(crlf(text), "@@", ...body)).toEqual(wanted);
    }),
  );
});

test("a patch made from two texts turns the one into the other", () => {
  const lines = fc.array(fc.constantFrom("a", "b", "c", "", "  d "), { maxLength: 12 });
  fc.assert(
    fc.property(lines, lines, lines, lines, (above, before, after, below) => {
      fc.pre(before.join("\n") !== after.join("\n"));
      const unique = above.map((line, index) => `${index} ${line}`);
      const end = below.map((line, index) => `-${index} ${line}`);
      const text = [...unique, "START", ...before, "END", ...end].map((line) => `${line}\n`).join("");
      const wanted = [...unique, "START", ...after, "END", ...end].map((line) => `${line}\n`).join("");
      const hunk = [" START", ...before.map((line) => `-${line}`), ...after.map((line) => `+${line}`), " END"];
      expect(updated(text, "@@", ...hunk)).toEqual({ text: wanted });
    }),
  );
});

test("hostile repetition stays fast", () => {
  const text = "a\n".repeat(200_000);
  const old = Array.from({ length: 5000 }, () => "-a");
  const spent = cpuClock();
  expect(updated(text, ...old, "-b", "+c")).toMatchObject({ hunk: 1 });
  expect(spent()).toBeLessThan(2000);
});

test("a wrong @@ is ignored where the lines of the hunk occur once, and only there", () => {
  const text = "def f():\n    a = 1\n    b = 2\ndef g():\n    c = 3\n    b = 2\n";
  const hunk = (...body: string[]) => updated(text, "@@ def wrong():", ...body);
  expect(hunk("-    c = 3", "+    c = 4")).toEqual({ text: text.replace("c = 3", "c = 4") });
  expect(hunk("-    b = 2", "+    b = 9")).toMatchObject({
    problem: expect.stringContaining('no line "def wrong():"'),
  });
  expect(updated(text, "@@ def g():", "-    a = 1", "+    a = 2")).toEqual({ text: text.replace("a = 1", "a = 2") });
  // In whatever order the hunks stand.
  expect(updated(text, "@@", "-    c = 3", "+    c = 4", "@@ def x():", "-    a = 1", "+    a = 2")).toEqual({
    text: text.replace("a = 1", "a = 2").replace("c = 3", "c = 4"),
  });
});

test("a hunk that only shows lines says where the next one stands", () => {
  const text = "class A:\n  def f(self):\n    return 1\nclass B:\n  def f(self):\n    return 1\n";
  expect(updated(text, "@@", " class B:", "   def f(self):", "@@", "-    return 1", "+    return 2")).toEqual({
    text: "class A:\n  def f(self):\n    return 1\nclass B:\n  def f(self):\n    return 2\n",
  });
  expect(problem(patch("*** Update File: a", "@@", "-x", "+y", "@@", " z"))).toMatch(/no "-" or "\+" line/);
});

test("property: hunks whose lines occur once are placed in whatever order they stand", () => {
  const places = fc.uniqueArray(fc.integer({ min: 0, max: 19 }), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(places, (order) => {
      const lines = Array.from({ length: 20 }, (_, index) => `line ${index}`);
      const hunks = order.map((at) => ({ old: `line ${at}\n`, new: `new ${at}\n`, place: { after: [] } }));
      const wanted = lines.map((line, index) => (order.includes(index) ? `new ${index}` : line));
      expect(applyHunks(`${lines.join("\n")}\n`, hunks)).toEqual({ text: `${wanted.join("\n")}\n` });
    }),
  );
});

test("a hunk out of order is refused where its lines are not the only ones, or another hunk has them", () => {
  const hunk = (old: string, place = { after: [] }) => ({ old, new: `${old}more\n`, place });
  expect(applyHunks("a\na\nb\n", [hunk("b\n"), hunk("a\n")])).toMatchObject({ hunk: 2 });
  expect(applyHunks("a\nb\nc\n", [hunk("b\nc\n"), hunk("a\nb\n")])).toMatchObject({ hunk: 2 });
});
