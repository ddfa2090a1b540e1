// Fixes taken out one at a time: after how many runs of drawn commands each is missed. A process of its own for each.
import { spawnSync } from "node:child_process";
import path from "node:path";
import { holes } from "../test/real/holes/list.ts";
import { outerHere } from "../test/real/commands/outer.ts";

const parts = path.join(import.meta.dirname, "../test/real/holes");

/** FETTLE_REAL_SEED (1) and FETTLE_REAL_RUNS (3,000) choose otherwise. */
export function holesBench(): string {
  if (!outerHere) return "holes: no bubblewrap here";
  const [seed, runs] = [process.env["FETTLE_REAL_SEED"] ?? "1", process.env["FETTLE_REAL_RUNS"] ?? "3000"];
  const words = ["--import", path.join(parts, "plant.ts"), path.join(parts, "children", "hunt.ts"), seed, runs];
  const told = holes.map(({ name }) => {
    const env = { ...process.env, FETTLE_HOLE: name };
    const { stdout, status } = spawnSync(process.execPath, words, {
      env,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
    });
    if (status !== 0) return `${name}: the hunt ended with ${status}`;
    const { ran, found } = JSON.parse(stdout) as { ran: number; found: { command: string; after: number }[] };
    const [first] = found;
    return first
      ? `${name}: after ${first.after} runs: ${JSON.stringify(first.command)}`
      : `${name}: not in ${ran} runs`;
  });
  return [`holes: seed ${seed}`, ...told].join("\n");
}
