// Random waves, each killed at a random instant and begun again: what is lost, brought back, deleted or told wrongly.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { judge } from "./judge.ts";
import { integrate, makeWave, numbersOf, type RandomWave } from "./wave.ts";

interface Told {
  ends: Record<string, number>;
  left: Record<string, number>;
  killed: number;
  lost: number;
  files: number;
  rows: number;
}

/** With all that it has started; answers whether it was still at work. */
async function killedRun(wave: RandomWave, afterMs: number): Promise<boolean> {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, "children", "integrate.ts"), wave.folder], {
    ...{ stdio: ["ignore", "pipe", "inherit"], detached: true },
  });
  let said = "";
  const begun = new Promise<void>((resolve) => {
    child.stdout?.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      resolve();
    });
    child.once("exit", () => resolve());
  });
  const over = once(child, "exit");
  await begun;
  await Promise.race([sleep(afterMs), over]);
  if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  await over;
  return !said.includes("done");
}

/** One wave: killed once with the chance `kill`, then to its end, then judged. */
export async function oneWave(seed: number, kill: number, told: Told): Promise<void> {
  const wave = makeWave(seed);
  try {
    const random = numbersOf(seed + 7_919);
    if (random() < kill && (await killedRun(wave, random() * 500))) told.killed += 1;
    const end = await integrate(wave);
    told.ends[end.kind] = (told.ends[end.kind] ?? 0) + 1;
    if ("left" in end) for (const { why } of end.left) told.left[why] = (told.left[why] ?? 0) + 1;
    const wrongs = judge(wave, end);
    for (const key of ["lost", "files", "rows"] as const) told[key] += wrongs[key];
  } finally {
    rmSync(wave.folder, { recursive: true, force: true });
  }
}

export const nothingTold = (): Told => ({ ends: {}, left: {}, killed: 0, lost: 0, files: 0, rows: 0 });

export async function wavesBench(count: number): Promise<string> {
  const told = nothingTold();
  for (let seed = 1; seed <= count; seed += 1) await oneWave(seed, 0.5, told);
  const counts = (of: Record<string, number>) =>
    Object.entries(of)
      .map(([name, times]) => `${name} ${times}`)
      .join(", ");
  return [
    `waves ${count}: ${counts(told.ends)}; plans left out: ${counts(told.left)}; killed while at work ${told.killed}`,
    `lost commits ${told.lost}, files resurrected, lost or deleted undeclared ${told.files}, wrong state rows ${told.rows}`,
  ].join("\n");
}
