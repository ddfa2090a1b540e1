// Starts drivers in outer worlds and hands them commands.
import { spawn, spawnSync } from "node:child_process";
import { createInterface } from "node:readline";
import type { Begin, Task, Told } from "./children/driver.ts";
import { outerWords } from "./worlds.ts";

const scratchBytes = 1_500_000_000;

/** Why there can be no worlds here; undefined where there can. */
export function noWorlds(): string | undefined {
  const missing = ["bwrap", "unshare", "setpriv", "prlimit", "ip", "python3", "git"].filter(
    (name) => spawnSync("sh", ["-c", `command -v ${name}`]).status !== 0,
  );
  if (missing.length > 0) return `${missing.join(", ")} ${missing.length > 1 ? "are" : "is"} not installed`;
  const [program = "", ...words] = outerWords(1_000_000);
  const run = spawnSync(program, [...words.slice(0, -2), "true"], { encoding: "utf8", timeout: 10_000 });
  return run.status === 0 ? undefined : `no throw-away world can be made: ${run.stderr.trim().split("\n")[0]}`;
}

export interface Driver {
  /** Undefined when the driver was lost. */
  ask(task: Task): Promise<Told | undefined>;
  close(): void;
}

export async function startDriver(begin: Begin): Promise<Driver> {
  const [program = "", ...words] = outerWords(scratchBytes);
  const child = spawn(program, words, { stdio: ["pipe", "pipe", "inherit"], cwd: "/" });
  const waiting: ((line: string | undefined) => void)[] = [];
  const lines = createInterface({ input: child.stdout });
  lines.on("line", (line) => waiting.shift()?.(line));
  lines.on("close", () => waiting.splice(0).forEach((resolve) => resolve(undefined)));
  child.stdin.on("error", () => child.kill("SIGKILL"));
  const say = (item: object): Promise<string | undefined> =>
    new Promise((resolve) => {
      if (child.exitCode !== null || child.signalCode !== null) return resolve(undefined);
      waiting.push(resolve);
      child.stdin.write(`${JSON.stringify(item)}\n`);
    });
  if ((await say(begin)) !== "ready") throw new Error("the driver of the worlds does not start");
  return {
    async ask(task) {
      const line = await say(task);
      return line === undefined ? undefined : (JSON.parse(line) as Told);
    },
    close: () => void child.kill("SIGKILL"),
  };
}
