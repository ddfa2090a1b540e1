// After `--import plant.ts`: draws until the hole that FETTLE_HOLE names is found, and prints after how many runs.
import { type assess } from "../../../../src/guard/assess/assess.ts";
import type { Assessment } from "../../../../src/protocol/effect.ts";
import { hunt, openBench } from "../../commands/hunt.ts";
import { whole } from "../plant.ts";

const [seed = "1", runs = "2000"] = process.argv.slice(2);
const bench = await openBench();
const intact = (await import(`../../../../src/guard/assess/assess.ts${whole}`)) as { assess: typeof assess };
/** Judged as without the hole: whatever it does, the hole has no part in it. */
const passes = (command: string, judged: Assessment): boolean =>
  intact.assess({ kind: "shell", command, background: false }, bench.facts).risk === judged.risk;
try {
  const hunted = await hunt(bench, {
    seed: Number(seed),
    runs: Number(runs),
    perRow: 3,
    first: ["started", "read"],
    passes,
  });
  process.stdout.write(`${JSON.stringify({ ...hunted, rows: hunted.rows.size })}\n`);
} finally {
  await bench.outer.close();
}
