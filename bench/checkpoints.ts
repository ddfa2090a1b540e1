// Checkpoints of a repository of 100,000 tracked files, and what a fresh look at all of them costs.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { openSnapshots, type Snapshots } from "../src/io/snapshot/snapshots.ts";
import { measure, type Sample, table } from "./measure.ts";

const files = Number(process.env["BENCH_FILES"] ?? 100_000);

/** Once, as there is only one first time. */
async function once(name: string, work: () => Promise<unknown>): Promise<Sample> {
  const started = performance.now();
  await work();
  const median = (performance.now() - started) * 1000;
  return { name, median, p99: median, best: median };
}

export async function checkpointsBench(folder: string): Promise<string> {
  const workspace = path.join(folder, "repository");
  const git = (...args: string[]) =>
    execFileSync(
      "git",
      ["-c", "user.name=bench", "-c", "user.email=bench@localhost", "-c", "gc.autoDetach=false", ...args],
      {
        cwd: workspace,
        stdio: "ignore",
      },
    );
  for (let index = 0; index < files; index += 1) {
    const place = path.join(workspace, `part${index % 50}`, `sub${Math.floor(index / 50) % 40}`);
    if (index < 2000) mkdirSync(place, { recursive: true });
    const text = `// File ${index}\nexport const value${index} = ${index};\n${"const one = 1;\n".repeat(index % 40)}`;
    writeFileSync(path.join(place, `file${index}.ts`), text);
  }
  git("init", "-q");
  const add = await once(`git add of ${files} files`, async () => git("add", "-A"));
  git("commit", "-qm", "all");
  const open = (name: string): Snapshots =>
    openSnapshots({ gitDir: path.join(folder, name), workspace, maxBytes: 2 ** 30, maxFiles: 2 * files });
  const snapshots = open("first.git");
  const first = await once("first checkpoint", () => snapshots.take());
  const again = await measure("next checkpoint, nothing changed", () => snapshots.take(), { rounds: 9 });
  let round = 0;
  const change = async () => {
    round += 1;
    for (const part of [1, 2, 3]) writeFileSync(path.join(workspace, `part${part}/sub${part}/new.ts`), `${round}\n`);
    writeFileSync(path.join(workspace, "part0/sub0/file0.ts"), `${round}\n`);
    await snapshots.take();
  };
  const changed = await measure("next checkpoint, 4 files changed", change, { rounds: 9 });
  return table("checkpoints", [add, first, again, changed]);
}
