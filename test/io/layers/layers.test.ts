import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { sandboxWorks } from "../support/world.ts";
import { temporaryFolder } from "../../support/folders.ts";

const script = path.join(import.meta.dirname, "../support/layers-as-user.ts");
const command = "id -u; cat .env; echo new > old.txt; rm -r dist; mkdir dist; echo x > dist/two; rm .env; echo ran";

function runAs(words: readonly string[]) {
  const folder = temporaryFolder();
  chmodSync(folder, 0o777);
  const run = spawnSync(words[0] ?? process.execPath, [...words.slice(1), script, command], {
    env: { PATH: "/usr/bin:/bin", HOME: folder, TMPDIR: folder },
    encoding: "utf8",
  });
  expect(run.stderr.replace(/^\(node:.*\n.*\n?/, "")).toBe("");
  return JSON.parse(run.stdout) as unknown;
}

const changes = ["file dist/two", "file old.txt", "removed .env", "removed dist/one"];

test.skipIf(!sandboxWorks())("layers take what a command writes, and leave the workspace as it was", () => {
  const id = execFileSync("id", ["-u"], { encoding: "utf8" });
  expect(runAs([process.execPath])).toEqual({ output: `${id}ran\n`, code: 0, changes, old: "old old.txt" });
});

test.skipIf(!sandboxWorks() || process.getuid?.() !== 0)("layers of an ordinary user do the same", () => {
  const user = ["setpriv", "--reuid", "1000", "--regid", "1000", "--clear-groups", process.execPath];
  expect(runAs(user)).toEqual({ output: "1000\nran\n", code: 0, changes, old: "old old.txt" });
});
