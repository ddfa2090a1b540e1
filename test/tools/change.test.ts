import { chmod, readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Bench, createBench, textOf } from "../support/grant.ts";

let bench: Bench;
beforeEach(() => void (bench = createBench()));
afterEach(() => bench.close());
const at = (name: string) => path.join(bench.folder, name);
const put = (name: string, content: string | Uint8Array) => writeFile(at(name), content);
const get = (name: string) => readFile(at(name), "utf8").catch(() => undefined);
const patch = (...lines: string[]) => ({ patch: ["*** Begin Patch", ...lines, "*** End Patch"].join("\n") });

test("write makes folders, replaces, and counts", async () => {
  expect(textOf(await bench.call("write", { path: "x/y/z.txt", content: "a\nb\n" }))).toBe(
    "Wrote x/y/z.txt: 2 lines, new file.",
  );
  expect(await get("x/y/z.txt")).toBe("a\nb\n");
  expect(textOf(await bench.call("write", { path: "x/y/z.txt", content: "a\nc\nd\n" }))).toBe(
    "Wrote x/y/z.txt: +2 −1.",
  );
  expect(textOf(await bench.call("write", { path: "x/y/z.txt", content: "a\nc\nd\n" }))).toMatch(/nothing changed/);
  expect(await bench.call("write", { path: "x/y", content: "" })).toMatchObject({ status: "failed" });
  expect(await bench.call("write", { path: "x/y/z.txt/w", content: "" })).toMatchObject({ status: "failed" });
});

test("edit replaces exactly one place and keeps mode, line ends and byte order mark", async () => {
  await put("run.sh", "\uFEFFecho one\r\necho two\r\n");
  await chmod(at("run.sh"), 0o755);
  const edit = { path: "run.sh", old_string: "echo one\necho two", new_string: "echo 1\necho 2\necho 3" };
  expect(textOf(await bench.call("edit", edit))).toBe("Edited run.sh: +3 −2.");
  expect(await get("run.sh")).toBe("\uFEFFecho 1\r\necho 2\r\necho 3\r\n");
  expect((await stat(at("run.sh"))).mode & 0o777).toBe(0o755);
});

test("an edit that does not fit changes nothing and says what is near", async () => {
  await put("a.ts", "if (x) {\n    go();\n}\n");
  const miss = await bench.call("edit", { path: "a.ts", old_string: "if (x) {\n  go();", new_string: "" });
  expect(miss).toMatchObject({ status: "failed", code: "edit.no-fit" });
  expect(textOf(miss)).toMatch(
    /^a\.ts: The old text does not occur\. Closest is lines 1-2, shown below; what differs is indentation\.\nif \(x\) \{\n {4}go\(\);$/,
  );
  expect(miss.parts[0]).toMatchObject({ text: expect.not.stringContaining("go()") });
  await put("b.ts", "x\nx\n");
  expect(textOf(await bench.call("edit", { path: "b.ts", old_string: "x", new_string: "y" }))).toMatch(
    /occurs 2 times/,
  );
  await bench.call("edit", { path: "b.ts", old_string: "x", new_string: "y", replace_all: true });
  expect(await get("b.ts")).toBe("y\ny\n");
  expect(textOf(await bench.call("edit", { path: "c.ts", old_string: "x", new_string: "y" }))).toBe(
    "c.ts does not exist.",
  );
});

test("the bytes of a file that is not UTF-8 survive an edit", async () => {
  const bytes = Buffer.from([0x61, 0xe9, 0xff, 0x0a, 0x6f, 0x6c, 0x64, 0x0a, 0xc3, 0xa4]);
  await put("latin", bytes);
  await bench.call("edit", { path: "latin", old_string: "old", new_string: "n€w" });
  const wanted = Buffer.concat([bytes.subarray(0, 4), Buffer.from("n€w"), bytes.subarray(7)]);
  expect(await readFile(at("latin"))).toEqual(wanted);
});

test("a patch adds, updates, moves and deletes in one step", async () => {
  await put("a.txt", "one\ntwo\nthree\n");
  await put("b.txt", "gone\n");
  await put("c.txt", "left\nright\n");
  const result = await bench.call(
    "apply_patch",
    patch(
      "*** Update File: a.txt",
      "@@",
      " one",
      "-two",
      "+2",
      "*** Delete File: b.txt",
      "*** Update File: c.txt",
      "*** Move to: deep/d.txt",
      "@@",
      "-left",
      "+LEFT",
      "*** Add File: new/e.txt",
      "+hello",
    ),
  );
  expect(textOf(result)).toBe(
    "Patched: updated a.txt (+1 −1), moved c.txt to deep/d.txt (+1 −1), added new/e.txt (1 line), deleted b.txt.",
  );
  expect([
    await get("a.txt"),
    await get("b.txt"),
    await get("c.txt"),
    await get("deep/d.txt"),
    await get("new/e.txt"),
  ]).toEqual(["one\n2\nthree\n", undefined, undefined, "LEFT\nright\n", "hello\n"]);
});

test("a patch with a part that cannot be done changes nothing", async () => {
  await put("a.txt", "one\n");
  await put("b.txt", "two\n");
  const first = ["*** Update File: a.txt", "@@", "-one", "+1"];
  for (const rest of [
    ["*** Update File: none.txt", "@@", "-x", "+y"],
    ["*** Add File: b.txt", "+x"],
    ["*** Delete File: none.txt"],
  ]) {
    const result = await bench.call("apply_patch", patch(...first, ...rest));
    expect(`${rest[0]} ${result.status}`).toBe(`${rest[0]} failed`);
    expect(textOf(result)).toMatch(/^Nothing was changed\. /);
    expect([await get("a.txt"), await get("b.txt")]).toEqual(["one\n", "two\n"]);
  }
});

test("a patch of which one file does not fit changes the others, and says which", async () => {
  await put("a.txt", "one\n");
  await put("b.txt", "two\nsix\n");
  const misfit = ["*** Update File: b.txt", "@@", "-two", "+2", "@@", "-three", "+3"];
  const result = await bench.call("apply_patch", patch("*** Update File: a.txt", "@@", "-one", "+1", ...misfit));
  expect(result).toMatchObject({ status: "done", code: "patch.part" });
  expect(textOf(result)).toMatch(
    /^Patched in part: updated a\.txt \(\+1 −1\)\. Not changed, send these again: b\.txt: Hunk 2 does not fit/,
  );
  expect([await get("a.txt"), await get("b.txt")]).toEqual(["1\n", "two\nsix\n"]);
  const none = await bench.call("apply_patch", patch(...misfit));
  expect(none.status).toBe("failed");
  expect(textOf(none)).toMatch(/^Nothing was changed\. /);
});

test("edit takes several edits at once, makes those that fit and names the others", async () => {
  await put("m.ts", "a\nb\nc\n");
  const edits = [
    { old_string: "a", new_string: "1" },
    { old_string: "c", new_string: "3" },
  ];
  expect(textOf(await bench.call("edit", { path: "m.ts", edits }))).toBe("Edited m.ts: +2 −2.");
  expect(await get("m.ts")).toBe("1\nb\n3\n");
  const more = { path: "m.ts", old_string: "1", new_string: "x", edits: [{ old_string: "q", new_string: "" }] };
  expect(textOf(await bench.call("edit", more))).toMatch(
    /^Edited m\.ts: \+1 −1\. Not made, send only these again: Edit 2: The old text does not occur/,
  );
  expect(await get("m.ts")).toBe("x\nb\n3\n");
  const none = await bench.call("edit", { path: "m.ts", edits: [...more.edits, { old_string: "w", new_string: "" }] });
  expect(none.status).toBe("failed");
  expect(textOf(none)).toMatch(/^m\.ts: Edit 1: The old text does not occur.* Edit 2: The old text does not occur/);
  await expect(bench.call("edit", { path: "m.ts" })).rejects.toThrow(/old_string.* is missing; .*or edits/);
});

test("a blank line that differs is named, and the block is shown from its first line to its last", async () => {
  const text = "def f(detail):\n    if detail:\n        out = pick(detail)\n\n        return out\n    return None\n";
  await put("b.py", text);
  const tries: [string, string, string][] = [
    [
      text.replace("\n\n", "\n").slice(15),
      "lines 2-6",
      "your text lacks the blank line 4.\n    if detail:\n        out = pick(detail)\n\n        return out\n    return None",
    ],
    [text.replace("\n\n", "\n\n\n"), "lines 1-6", "your text has a blank line after line 4 that is not there.\ndef f"],
    [
      "        out = pick(detail)\n\n\n",
      "lines 3-4",
      "your text has a blank line after line 4 that is not there.\n        out = pick(detail)\n",
    ],
  ];
  for (const [old_string, lines, hint] of tries)
    expect(textOf(await bench.call("edit", { path: "b.py", old_string, new_string: "x" }))).toContain(
      `Closest is ${lines}, shown below; what differs is blank lines: ${hint}`,
    );
});

test("an edit whose text an earlier one of the same call changed names that one", async () => {
  await put("o.py", "# Repack the wheel\nwheel_path = 1\n");
  const edits = [
    { old_string: "# Repack the wheel\n", new_string: "# Pack the wheel\n" },
    { old_string: "# Repack the wheel\nwheel_path", new_string: "# Now\nwheel_path" },
  ];
  expect(textOf(await bench.call("edit", { path: "o.py", edits }))).toBe(
    "Edited o.py: +1 −1. Not made, send only these again: Edit 2: Edit 1 of this call changed its old text; give the text as that edit leaves it.",
  );
});

test("a slip inside a line is shown beside what stands there", async () => {
  await put("n.ts", "const a = 1;\nconst rounded = Math.floor(value);\nlet b;\n");
  const edit = await bench.call("edit", { path: "n.ts", old_string: "Math.flor", new_string: "Math.ceil" });
  expect(textOf(edit)).toMatch(
    /Closest is line 2.*first in line 2, which has no "flor"\.\nconst rounded = Math\.floor/,
  );
  const hunk = await bench.call(
    "apply_patch",
    patch("*** Update File: n.ts", "@@", "-const rounded = Math.flor(value);", "+x"),
  );
  expect(textOf(hunk)).toMatch(/closest is line 2, shown below\.\nconst rounded = Math\.floor\(value\);/);
});

test("a write that fails takes back those before it", async () => {
  await put("a.txt", "one\n");
  await put("b.txt", "two\n");
  await put("c.txt", "three\n");
  bench.change = (grant) => ({
    ...grant,
    files: {
      ...grant.files,
      write: (name, content) => grant.files.write(name === "d.txt" ? "a.txt/impossible" : name, content),
    },
  });
  const result = await bench.call(
    "apply_patch",
    patch(
      "*** Add File: new.txt",
      "+new",
      "*** Update File: a.txt",
      "@@",
      "-one",
      "+1",
      "*** Delete File: b.txt",
      "*** Update File: c.txt",
      "*** Move to: d.txt",
      "@@",
      "-three",
      "+3",
    ),
  );
  expect(result.status).toBe("failed");
  expect(textOf(result)).toMatch(/Nothing was changed\.$/);
  expect([
    await get("new.txt"),
    await get("a.txt"),
    await get("b.txt"),
    await get("c.txt"),
    await get("d.txt"),
  ]).toEqual([undefined, "one\n", "two\n", "three\n", undefined]);
});
