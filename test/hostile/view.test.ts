// What a sandbox shows and lets write is what the person opened, whatever a repository or a program before it has planted.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { makeWorld, sandboxed, sandboxWorks } from "../io/support/world.ts";
import { attacks, attempt } from "./view-attacks.ts";

const works = sandboxWorks();

describe.skipIf(!works)("a sandbox shows and opens no more for", () => {
  test.each(Object.entries(attacks))("%s", async (_name, attack) => {
    expect(await attempt(attack)).toEqual([]);
  });
});

test.skipIf(!works || process.getuid?.() !== 0)("no more for any of them to an ordinary user", () => {
  const script = `
    import { attacks, attempt } from ${JSON.stringify(path.resolve("test/hostile/view-attacks.ts"))};
    const found = {};
    for (const [name, attack] of Object.entries(attacks)) {
      const wrong = await attempt(attack);
      if (wrong.length > 0) found[name] = wrong;
    }
    console.log(JSON.stringify(found));`;
  const drop = ["--reuid=65534", "--regid=65534", "--clear-groups"];
  const out = execFileSync("setpriv", [...drop, process.execPath, "--input-type=module", "-e", script], {
    env: { PATH: "/usr/bin:/bin", HOME: "/nonexistent" },
    encoding: "utf8",
  });
  expect(JSON.parse(out)).toEqual({});
});

/** Exchanges the folder `sub` and the link `other` as fast as it can, for as long as it is let. */
const exchanging = `import ctypes, sys
swap = ctypes.CDLL(None).renameat2
while True: swap(-100, b"sub", -100, b"other", 2)`;

test.skipIf(!works)("a folder that is swapped for a link meanwhile never shows what the link leads to", async () => {
  const world = makeWorld();
  const git = path.join(world.workspace, "sub/.git");
  mkdirSync(git, { recursive: true });
  mkdirSync(path.join(world.home, "elsewhere/.git"), { recursive: true });
  writeFileSync(path.join(world.home, "elsewhere/.git/secret"), "CANARY-51c9");
  symlinkSync(path.join(world.home, "elsewhere"), path.join(world.workspace, "other"));
  const swapping = spawn("/usr/bin/python3", ["-c", exchanging], { cwd: world.workspace, stdio: "ignore" });
  try {
    for (let round = 0; round < 60; round++) {
      const { output } = await sandboxed(world, "cat sub/.git/secret other/.git/secret");
      expect(output).not.toContain("CANARY");
    }
  } finally {
    swapping.kill("SIGKILL");
    world.remove();
  }
});
