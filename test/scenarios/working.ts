// Runs that perform a command while something is done to them.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { expect, onTestFinished } from "vitest";
import { type Started } from "../support/program.ts";
import { makeScene, type Scene, shell } from "./scene.ts";

/** Without containment, as these tests see in the workspace how far a running command is. */
export const open = (command: string, env: Record<string, string> = {}) =>
  makeScene(() => shell(command), { env: { FETTLE_SANDBOX_CONTAINMENT: "off", ...env } });

/** A run that performs its command by now; it ends with the test. */
export async function working(scene: Scene, more: string[] = []): Promise<Started> {
  const run = await scene.start(["-p", "--json", "--autonomy", "5", ...more, "x"]);
  onTestFinished(() => {
    if (run.child.exitCode === null) run.child.kill("SIGKILL");
  });
  await expect.poll(() => existsSync(scene.at("begun")), { timeout: 10_000, interval: 20 }).toBe(true);
  return run;
}

export const processes = (mark: string): string[] =>
  execFileSync("ps", ["-eo", "pid,args"], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.includes(mark) && !line.includes("fettle"));

/** Forks twice, leaves its session and its parents, ignores every polite word. */
export async function openStubborn(env: Record<string, string> = {}): Promise<{ scene: Scene; mark: string }> {
  const mark = `stubborn-${process.pid}-${Math.random().toString(36).slice(2)}`;
  const scene = await open("bash stubborn.sh", env);
  const ignore = "trap '' TERM HUP INT";
  scene.put("late.sh", `${ignore}\nexec -a ${mark} sleep 60\n`);
  scene.put(
    "stubborn.sh",
    `${ignore}\n(setsid bash late.sh &)\nbash late.sh &\nsleep 0.3; touch begun\nwhile :; do sleep 0.1; done\n`,
  );
  return { scene, mark };
}
