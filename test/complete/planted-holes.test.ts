// The fixes that `npm run bench -- holes` takes out stand where it looks for them.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { holes } from "../real/holes/list.ts";
import { placeHoles } from "../real/holes/places.ts";
import { without } from "../real/holes/plant.ts";

test.each([...holes, ...placeHoles].map((hole) => [hole.name, hole] as const))("%s can be taken out", (_name, hole) => {
  for (const { file } of hole.edits) {
    const source = readFileSync(path.join(import.meta.dirname, "../../src", file), "utf8");
    expect(without(hole, file, source)).not.toBe(source);
  }
});

test("a process that names one reads its source without the fix, and as it is where it asks for that", () => {
  const parts = path.join(import.meta.dirname, "../real/holes");
  const file = path.join(import.meta.dirname, "../../src/guard/command-line/shell/evaluated.ts");
  const tell = `for (const each of ["", "?whole"]) console.log((await import("${file}" + each)).judgeName.toString().includes("if (text) return"))`;
  const argv = ["--import", path.join(parts, "plant.ts"), "--input-type=module", "--eval", tell];
  const env = { ...process.env, FETTLE_HOLE: "names" };
  expect(execFileSync(process.execPath, argv, { env, encoding: "utf8" })).toBe("true\nfalse\n");
});
