// One drawn workspace: contained runs through the real fence, what they see and change, and what starts afterwards.
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Random } from "../random.ts";
import { breaches, type Look } from "./check.ts";
import { contained, plantedByGit, probe } from "./commands.ts";
import { look, openPlanted, type Planted } from "./world.ts";

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

/** A file that was shown under this name may have been written under another. */
const holds = (file: string, words: string): boolean =>
  lstatSync(file, { throwIfNoEntry: false })?.isFile() === true && readFileSync(file, "utf8").includes(words);

export interface Lived {
  /** Commands that ran. */
  ran: number;
  problems: string[];
}

/** One drawn workspace with drawn commands; ends at the first that does what it may not. */
export async function live(seed: number): Promise<Lived> {
  const random = new Random(seed);
  const world = openPlanted(random);
  const lived: Lived = { ran: 0, problems: [] };
  const { problems } = lived;
  const applied = new Set<string>();
  try {
    const planted = look(world.workspace);
    let before = lookAround(world);
    for (const command of random.some(2, 5, () => contained(random))) {
      if (problems.length > 0) break;
      for (const [text, risk] of [
        [command, "L1"],
        // What only reads sees another view than what may write.
        [probe, random.pick(["L0", "L1"] as const)],
      ] as const) {
        const ran = await world.run(text, risk);
        lived.ran += 1;
        for (const name of ran.applied) applied.add(name);
        const after = lookAround(world);
        for (const problem of breaches(before, after, ran, planted)) problems.push(`${seed}: ${problem} after ${text}`);
        before = after;
      }
      if (random.chance(0.4) && (await world.commits())) {
        lived.ran += 1;
        if (existsSync(path.join(world.workspace, ".git", plantedByGit)))
          problems.push(`${seed}: git obeyed ${command}`);
        before = lookAround(world);
      }
    }
    for (const words of nextOfThePerson(world))
      if (![...applied].some((name) => words.includes(name) || holds(path.join(world.workspace, name), words)))
        problems.push(`${seed}: the person's next command started: ${words}`);
  } finally {
    await world.close();
  }
  return lived;
}
