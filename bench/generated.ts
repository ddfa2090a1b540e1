// 100,000 drawn commands that would run unasked, run and held against their judgement. Every row at L0 at least 50 times.
import { hunt, openBench } from "../test/real/commands/hunt.ts";
import { outerHere } from "../test/real/commands/outer.ts";
import { newSeed } from "../test/real/random.ts";

/** FETTLE_REAL_SEED, FETTLE_REAL_RUNS and FETTLE_REAL_MINUTES bound it otherwise. */
export async function generatedBench(): Promise<string> {
  if (!outerHere) return "generated: no bubblewrap here";
  const number = (name: string, other: number) => Number(process.env[name] ?? other);
  const seed = number("FETTLE_REAL_SEED", newSeed());
  const bench = await openBench();
  try {
    const hunted = await hunt(bench, {
      seed,
      runs: number("FETTLE_REAL_RUNS", 100_000),
      perRow: 50,
      milliseconds: number("FETTLE_REAL_MINUTES", 90) * 60_000,
      told: (found) => process.stdout.write(`${JSON.stringify(found)}\n`),
    });
    const shells = Object.entries(hunted.byShell).map(([shell, runs]) => `${shell} ${runs}`);
    const least = Math.min(...hunted.rows.values());
    return [
      `generated: seed ${seed}, ${hunted.drawn} drawn, ${hunted.ran} ran (${shells.join(", ")}) in ${hunted.seconds.toFixed(0)} s`,
      `${hunted.rows.size} rows at L0, each at least ${least} times; ${hunted.found.length} differences`,
    ].join("\n");
  } finally {
    await bench.outer.close();
  }
}
