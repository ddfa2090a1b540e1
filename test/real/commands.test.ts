// Drawn commands that would run unasked are run, and do what was judged.
import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Bench, hunt, openBench } from "./commands/hunt.ts";
import { outerHere, shells } from "./commands/outer.ts";

interface Kept {
  command: string;
  shell: string;
  finding: string;
}

interface Open {
  /** Of the shortest command that shows it. */
  pattern: string;
  finding: string;
}

const read = (name: string): unknown =>
  JSON.parse(readFileSync(path.join(import.meta.dirname, "commands", name), "utf8"));
/** Differences that await a mend of the judge. */
const open = read("open.json") as Open[];
const corpus = read("corpus.json") as Kept[];

describe.skipIf(!outerHere)("drawn commands", () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await openBench();
  });
  afterAll(() => bench.outer.close());

  test("the canaries see a program that starts, a file that is written and a file that is read", async () => {
    const commands = ["zmark x", "echo x > planted", "cat ../outside/secret.txt", "true"];
    const seen = await bench.outer.run(commands.map((command) => ({ shell: ["bash"], command })));
    expect(seen.map(({ started, changed, words }) => [started.length, changed.length, words.length])).toEqual([
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
      [0, 0, 0],
    ]);
  });

  test("whatever was found once is not found again", async () => {
    const again: string[] = [];
    for (const { command, shell, finding } of corpus) {
      if (!shells.some((known) => known.join(" ") === shell)) continue;
      const found = await bench.check(command, shell.split(" "));
      if (found) again.push(`${shell}: ${command}: ${found.kind} ${found.what} (${finding})`);
    }
    expect(again).toEqual([]);
  });

  test("2,000 commands start, write and read nothing that their judgement does not name", async () => {
    const seed = Number(process.env["FETTLE_REAL_SEED"] ?? 7);
    const hunted = await hunt(bench, { seed, runs: 2000, perRow: 3, milliseconds: 120_000 });
    process.stdout.write(
      `seed ${seed}: ${hunted.ran} of ${hunted.drawn} commands ran in ${hunted.seconds.toFixed(0)} s\n`,
    );
    const unknown = hunted.found.filter(
      ({ command }) => !open.some(({ pattern }) => new RegExp(pattern).test(command)),
    );
    expect(unknown, `seed ${seed}`).toEqual([]);
    expect(hunted.ran).toBeGreaterThan(100);
  });
});
