// The fixes that `npm run bench -- holes` takes out stand where it looks for them.
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
