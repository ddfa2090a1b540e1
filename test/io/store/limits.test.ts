import { execFileSync, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { openStore } from "../../../src/io/store/store.ts";
import { temporaryFolder } from "../../support/folders.ts";

const child = (name: string) => path.join(import.meta.dirname, "../children", `${name}.ts`);
const canBind = spawnSync("bwrap", ["--dev-bind", "/", "/", "true"]).status === 0;
const bound = (options: string[], name: string, args: string[]) =>
  JSON.parse(
    execFileSync("bwrap", ["--dev-bind", "/", "/", ...options, process.execPath, child(name), ...args], {
      encoding: "utf8",
    }),
  );

test.runIf(canBind)(
  "a full disk loses nothing that was told, runs nothing, and the ledger goes on when there is room",
  () => {
    const disk = temporaryFolder();
    const result = bound(["--size", "9000000", "--tmpfs", disk], "full-disk", [disk, temporaryFolder()]);
    expect(result.facts).toMatchObject({ code: "store.unwritable 7" });
    expect(result.facts.count).toBeGreaterThan(50);
    expect(result.kept).toBe(result.facts.count);
    expect(result.entries).toMatchObject({ code: "ledger.unwritable 7" });
    expect(result.report).toMatchObject({ ok: true, entries: 1 + 1 + result.entries.count + 2 });
  },
);

test.runIf(canBind)("state that is read-only is told as such", () => {
  const folder = temporaryFolder();
  openStore(path.join(folder, "state.db")).close();
  const codes = bound(["--ro-bind", folder, folder], "read-only", [folder, temporaryFolder()]);
  expect(codes).toEqual(["store.unwritable", "store.unwritable", "snapshot.unwritable"]);
});

test.runIf(canBind)("without git there are no checkpoints, and the fault says why", () => {
  const folder = temporaryFolder();
  const nothing = path.join(folder, "nothing");
  writeFileSync(nothing, "", { mode: 0o644 });
  const codes = bound(["--ro-bind", nothing, "/usr/bin/git"], "read-only", [folder, temporaryFolder()]);
  expect(codes).toEqual(["none", "none", "git.missing"]);
});
