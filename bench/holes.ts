// Fixes taken out one at a time: after how many runs of drawn commands, or of drawn workspaces, each is missed. A process of
// its own for each.
import { spawnSync } from "node:child_process";
import path from "node:path";
import { type Hole, holes } from "../test/real/holes/list.ts";
import { placeHoles } from "../test/real/holes/places.ts";
import { outerHere } from "../test/real/commands/outer.ts";

const parts = path.join(import.meta.dirname, "../test/real/holes");

function found(hole: Hole, child: string, words: readonly string[]): unknown {
  const argv = ["--import", path.join(parts, "plant.ts"), path.join(parts, "children", child), ...words];
  const { stdout, status } = spawnSync(process.execPath, argv, {
    env: { ...process.env, FETTLE_HOLE: hole.name },
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  return status === 0 ? JSON.parse(stdout) : undefined;
}

function byCommands(hole: Hole, seed: string, runs: string): string {
  const told = found(hole, "hunt.ts", [seed, runs]) as
    | { ran: number; found: { command: string; after: number }[] }
    | undefined;
  const [first] = told?.found ?? [];
  if (!told) return "the hunt failed";
  return first ? `after ${first.after} runs: ${JSON.stringify(first.command)}` : `not in ${told.ran} runs`;
}

function byWorkspaces(hole: Hole, seed: string, worlds: string): string {
  const told = found(hole, "live.ts", [seed, worlds]) as { worlds: number; ran: number; problem?: string } | undefined;
  if (!told) return "the hunt failed";
  const { problem } = told;
  const where = `${told.ran} runs in ${told.worlds} workspaces`;
  return problem === undefined ? `not in ${where}` : `after ${where}: ${JSON.stringify(problem.slice(0, 120))}`;
}

/** FETTLE_REAL_SEED (1), FETTLE_REAL_RUNS (3,000) and FETTLE_REAL_WORLDS (200) choose otherwise. */
export function holesBench(): string {
  if (!outerHere) return "holes: no bubblewrap here";
  const chosen = (name: string, other: string): string => process.env[`FETTLE_REAL_${name}`] ?? other;
  const seed = chosen("SEED", "1");
  const commands = holes.map((hole) => `${hole.name}: ${byCommands(hole, seed, chosen("RUNS", "3000"))}`);
  const places = placeHoles.map((hole) => `${hole.name}: ${byWorkspaces(hole, seed, chosen("WORLDS", "200"))}`);
  return [`holes: seed ${seed}`, ...commands, ...places].join("\n");
}
