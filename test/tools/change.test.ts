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

test("a patch of which one part does not fit changes nothing", async () => {
  await put("a.txt", "one\n");
  await put("b.txt", "two\n");
  const first = ["*** Update File: a.txt", "@@", "-one", "+1"];
  for (const rest of [
    ["*** Update File: b.txt", "@@", "-three", "+3"],
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
