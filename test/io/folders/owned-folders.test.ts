import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { dropLeftBehind, leftBehind, ownedName } from "../../../src/io/folders/owned-folders.ts";
import { temporaryFolder } from "../../support/folders.ts";

test("a folder is removed when its process was killed, and nobody else's is", async () => {
  const root = temporaryFolder();
  const source = path.resolve(import.meta.dirname, "../../../src/io/folders/owned-folders.ts");
  const script = `const { ownedName } = await import(${JSON.stringify(source)}); console.log(ownedName()); setInterval(() => 0, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  const name = line.toString().trim();
  const own = `x-${ownedName()}`;
  const elsewhere = `x-${name.replace(/-\d*\./, "-1.")}`;
  const others = [own, elsewhere, `y-${name}`, `x-${name}.more`, "x-1", "x-"];
  for (const each of [`x-${name}`, ...others]) mkdirSync(path.join(root, each));
  writeFileSync(path.join(root, `x-${name}`, "kept"), "");
  dropLeftBehind(root, "x-");
  expect(existsSync(path.join(root, `x-${name}`, "kept")), "while it lives").toBe(true);

  child.kill("SIGKILL");
  await once(child, "exit");
  const link = `x-${name.replace(/[0-9a-f]{8}$/, "00000000")}`;
  symlinkSync(path.join(root, own), path.join(root, link));
  dropLeftBehind(root, "x-");
  expect(readdirSync(root).toSorted()).toEqual([...others, link].toSorted());
});

test("a name of another boot is nobody's any more", () => {
  const [pid, start, , random] = ownedName().split(".");
  expect(leftBehind(ownedName())).toBe(false);
  expect(leftBehind([pid, start, "00000000-1", random].join("."))).toBe(true);
});
