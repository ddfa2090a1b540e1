// Drawn sequences of contained runs through the real fence: what they see, what they change, what starts afterwards.
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { sandboxHere } from "../support/sandbox.ts";
import { Random } from "./random.ts";
import { breaches, type Look } from "./workspaces/check.ts";
import { contained, probe } from "./workspaces/commands.ts";
import { look, openPlanted, type Planted } from "./workspaces/world.ts";

const worlds = Number(process.env["FETTLE_REAL_WORLDS"] ?? 25);
const from = Number(process.env["FETTLE_REAL_SEED"] ?? 1);

const lookAround = (world: Planted): Look => ({
  workspace: look(world.workspace),
  aside: world.aside.map((folder) => look(folder)),
});

/** The words of every canary that started while the person did what they do next. */
function nextOfThePerson(world: Planted): string[] {
  const bin = path.join(world.root, "marks");
  mkdirSync(bin, { recursive: true });
  const marks = path.join(bin, "fired");
  rmSync(marks, { force: true });
  writeFileSync(path.join(bin, "zmark"), `#!/bin/sh\necho "$*" >> ${marks}\n`);
  chmodSync(path.join(bin, "zmark"), 0o755);
  const env = { ...process.env, HOME: world.home, PATH: `${bin}:${process.env["PATH"]}`, npm_config_offline: "true" };
  const run = (folder: string, [program = "", ...words]: string[]) =>
    spawnSync(program, words, { cwd: folder, env, stdio: "ignore", timeout: 15_000, killSignal: "SIGKILL" });
  for (const name of [".", "src", "docs", "made", "test", "sub"]) {
    const folder = path.join(world.workspace, name);
    if (existsSync(folder)) run(folder, ["git", "status"]);
  }
  for (const words of [["make"], ["npm", "test"], ["cargo", "metadata", "--offline", "--no-deps"]])
    run(world.workspace, words);
  return existsSync(marks) ? readFileSync(marks, "utf8").split("\n").filter(Boolean) : [];
}

async function live(seed: number): Promise<string[]> {
  const random = new Random(seed);
  const world = openPlanted(random);
  const problems: string[] = [];
  const applied = new Set<string>();
  try {
    const planted = look(world.workspace);
    let before = lookAround(world);
    for (const command of random.some(2, 5, () => contained(random))) {
      for (const [text, risk] of [
        [command, "L1"],
        [probe, "L0"],
      ] as const) {
        const ran = await world.run(text, risk);
        for (const name of ran.applied) applied.add(name);
        const after = lookAround(world);
        for (const problem of breaches(before, after, ran, planted)) problems.push(`${seed}: ${problem} after ${text}`);
        before = after;
      }
    }
    for (const words of nextOfThePerson(world))
      if (![...applied].some((name) => words.includes(name)))
        problems.push(`${seed}: the person's next command started: ${words}`);
  } finally {
    await world.close();
  }
  return problems;
}

describe.skipIf(!sandboxHere)("drawn workspaces", () => {
  test(`${worlds} of them see, change and plant nothing but what is reported`, async () => {
    process.stdout.write(`seeds ${from} to ${from + worlds - 1}\n`);
    const problems: string[] = [];
    for (let seed = from; seed < from + worlds; seed += 1) problems.push(...(await live(seed)));
    expect(problems).toEqual([]);
  }, 900_000);
});
