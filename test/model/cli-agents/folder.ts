// Programs that stand for other agents' in a folder of PATH.
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Scene } from "../../scenarios/scene.ts";

/** A program of that name that does as the script says; answers the PATH that has it. */
export function standIn(scene: Scene, program: string, script: string): string {
  const folder = path.join(scene.home.folder, "bin");
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, program), `#!/bin/sh\n${script}\n`);
  chmodSync(path.join(folder, program), 0o755);
  return `${folder}:${process.env["PATH"]}`;
}

/** What Claude Code says at the end. */
export const claudeEnd = (rest: object): string =>
  JSON.stringify({ type: "result", subtype: "success", result: "Done.", ...rest });
