// What a result says of what a command wrote, and of programs that it missed.
import { expect, test } from "vitest";
import { unseenPrograms } from "../../src/guard/fence/told.ts";
import type { WriteReport } from "../../src/io/layers/spec.ts";
import { processResult } from "../../src/tools/process-result.ts";
import { textIn } from "../../src/base/text-in.ts";

const said = (written: Partial<WriteReport>): string =>
  textIn(
    processResult({
      ...{ code: 0, signal: null, ended: "exited", output: "", bytes: 0, ms: 1 },
      written: { applied: [], kept: [], generated: [], dropped: [], ...written },
    }).parts,
    "\n",
  );

test("caches are not told, and other folders are named as deep as they are", () => {
  const caches = Array.from({ length: 12 }, (_, at) => `pkg/sub/__pycache__/m${at}.cpython-312.pyc`);
  expect(
    said({ kept: [...caches, ".pytest_cache/v/x", "node_modules/.cache/a/b", ".nyc_output/1.json"] }),
  ).not.toContain("kept");
  const dropped = [{ path: ".benchmarks", why: "others run or obey such a file later" }];
  expect(said({ dropped })).not.toContain("not written");
  const built = Array.from({ length: 12 }, (_, at) => `packages/one/dist/${at}.js`);
  expect(said({ kept: built })).toContain(
    "[kept for later commands only, the workspace is as before: packages/one/dist/]",
  );
  expect(said({ kept: [...built, ...caches, "dist/x"] })).toContain(": packages/one/dist/, dist/x]");
});

test("deleted files are told as deleted", () => {
  expect(said({ applied: ["a.js", "b.js"], removed: ["b.js"] })).toMatch(
    /\[files changed: a\.js\]\n\[files deleted: b\.js\]/,
  );
  expect(said({ applied: ["b.js"], removed: ["b.js"] })).not.toContain("changed");
});

test.each([
  ["python -m pytest -q 2>&1 | tail -5", 0, "/usr/bin/python: No module named pytest", ["pytest"]],
  ["which pytest; echo done", 0, "done", ["pytest"]],
  ["command -v pytest || true", 0, "", ["pytest"]],
  ["pytest --version; echo", 0, "bash: line 1: pytest: command not found\n", ["pytest"]],
  ["pytest", 127, "bash: line 1: pytest: command not found\n", ["pytest"]],
  ["which pytest", 0, "/usr/bin/pytest\n", []],
  ["cat build.log", 0, "pytest: command not found\n", []],
  ["python -m nothing", 1, "No module named nothing", []],
])("%s", (command, code, output, names) => {
  const programAt = (name: string) => (name === "pytest" ? "/person/bin/pytest" : undefined);
  const { unseen = [] } = unseenPrograms({ workspace: "/w", programAt }, { code, output }, command);
  expect(unseen.map(({ name }) => name)).toEqual(names);
});
