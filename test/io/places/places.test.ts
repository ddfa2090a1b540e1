import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { makePrivateFolder } from "../../../src/io/places/places.ts";

const root = mkdtempSync(path.join(os.tmpdir(), "fettle-places-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

test("a private folder is made with all above it, for its owner alone, and may exist already", () => {
  const folder = path.join(root, "a/b/c");
  makePrivateFolder(folder);
  makePrivateFolder(folder);
  expect([folder, path.dirname(folder)].map((each) => statSync(each).mode & 0o777)).toEqual([0o700, 0o700]);
});

test("where no folder can be made the attempt fails, and ends", () => {
  writeFileSync(path.join(root, "file"), "");
  expect(() => makePrivateFolder(path.join(root, "file/below"))).toThrow(/ENOTDIR/);
  // Node's recursive mkdir loops for ever here.
  expect(() => makePrivateFolder("/proc/fettle-nowhere/below")).toThrow(/ENOENT/);
});
