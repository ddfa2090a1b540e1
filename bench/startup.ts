import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import path from "node:path";
import { measure, table } from "./measure.ts";

const root = path.dirname(import.meta.dirname);

/** Whole processes, the bare runtime first: everything else is what fettle adds. */
export async function startupBench(folder: string): Promise<string> {
  const env = { ...process.env, HOME: folder, XDG_CACHE_HOME: folder, XDG_STATE_HOME: folder };
  const project = path.join(folder, "project");
  mkdirSync(project);
  const run = (program: string, args: string[]) => () => {
    const { status, stderr } = spawnSync(program, args, { cwd: project, env });
    if (status !== 0) throw new Error(`${program} ${args.join(" ")} failed: ${String(stderr)}`);
  };
  const fettle = path.join(root, "bin", "fettle");
  const samples = [await measure("node -e 0 (the bare runtime)", run(process.execPath, ["-e", "0"]), { rounds: 20 })];
  for (const args of [["--version"], ["--help"], ["config", "show"], ["explain", "git status"]]) {
    samples.push(await measure(`fettle ${args.join(" ")}`, run(fettle, args), { rounds: 20 }));
  }
  return table("start-up", samples);
}
