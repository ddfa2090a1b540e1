import { mkdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Bench, createBench, textOf } from "../support/grant.ts";

let bench: Bench;
beforeEach(() => void (bench = createBench()));
afterEach(() => bench.close());
const put = async (name: string, content: string) => {
  const file = path.join(bench.folder, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, content);
};
const call = async (name: string, input: { [key: string]: string | number | boolean }) =>
  textOf(await bench.call(name, input));

test("glob finds paths in order, without ignored ones, and says when there are more", async () => {
  await put(".gitignore", "out/\n");
  for (const name of ["src/b.ts", "src/a.ts", "src/deep/c.ts", "out/d.ts", "e.js"]) await put(name, "");
  expect(await call("glob", { pattern: "**/*.ts" })).toBe("src/a.ts\nsrc/b.ts\nsrc/deep/c.ts");
  expect(await call("glob", { pattern: "*.ts", path: "src" })).toMatch(/^src\/a\.ts\nsrc\/b\.ts/);
  expect(await call("glob", { pattern: "*.rs" })).toBe("No file fits.");
  for (let index = 0; index < 230; index += 1) await put(`many/f${index}.txt`, "");
  const many = await call("glob", { pattern: "many/*.txt" });
  expect(many).toMatch(/^many\/f[^]*\n\[the first 200 paths; narrow the pattern for the rest\]$/);
  expect(many.split("\n")).toHaveLength(201);
});

test("grep groups matches by file, with context, case, glob and literal text", async () => {
  await put("src/a.ts", "const total = 1;\nlet x;\nlet y;\nlet z;\nTotal(total);\n");
  await put("src/b.md", "total (x)\n");
  expect(await call("grep", { pattern: "^const \\w+" })).toBe("src/a.ts\n1:const total = 1;");
  expect(await call("grep", { pattern: "TOTAL", ignore_case: true, path: "src", glob: "*.ts" })).toBe(
    "src/a.ts\n1:const total = 1;\n5:Total(total);",
  );
  expect(await call("grep", { pattern: "total", context: 1, glob: "*.ts" })).toBe(
    "src/a.ts\n1:const total = 1;\n2-let x;\n--\n4-let z;\n5:Total(total);",
  );
  expect(await call("grep", { pattern: "(x)", literal: true })).toBe("src/b.md\n1:total (x)");
  expect(await call("grep", { pattern: "total", path: "src/b.md" })).toBe("src/b.md\n1:total (x)");
  expect(await bench.call("grep", { pattern: "x", path: "none" })).toMatchObject({ status: "failed" });
  expect(await call("grep", { pattern: "nothing at all" })).toBe("No line matches.");
  expect(await bench.call("grep", { pattern: "(open" })).toMatchObject({ status: "failed" });
});

test("grep stops at 100 matches and cuts long lines", async () => {
  await put("many.txt", "hit\n".repeat(500));
  const many = await call("grep", { pattern: "hit" });
  expect(many).toMatch(
    /^many\.txt\n1:hit[^]*\n\[the first 100 matches; narrow the pattern or the path for the rest\]$/,
  );
  expect(many.split("\n")).toHaveLength(102);
  await put("wide.min.js", `needle ${"x".repeat(100_000)}\n`);
  const wide = await call("grep", { pattern: "needle" });
  expect(wide.length).toBeLessThan(500);
});

test("list shows folders first, then files with sizes", async () => {
  await put("b.txt", "x".repeat(1500));
  await put("a.txt", "");
  await put("zoo/c.txt", "");
  await put("odd\nname", "x");
  await symlink("b.txt", path.join(bench.folder, "link"));
  expect(await call("list", {})).toBe(
    ["zoo/", "a.txt  0 B", "b.txt  1.5 kB", "link  (link)", '"odd\\nname"  1 B'].join("\n"),
  );
  await mkdir(path.join(bench.folder, "void"));
  expect(await call("list", { path: "void" })).toBe("(empty folder)");
  expect(await bench.call("list", { path: "none" })).toMatchObject({ status: "failed" });
  expect(await call("list", { path: "a.txt" })).toMatch(/is a file, not a folder/);
});
