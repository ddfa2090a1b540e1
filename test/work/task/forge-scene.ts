// A scene whose repository is at a forge of this machine, too.
import { execFileSync } from "node:child_process";
import { type ForgeServer, forgeToken } from "../../support/forge-server.ts";
import { type Scene } from "../../scenarios/scene.ts";

export const bare = (forge: ForgeServer, ...args: string[]) =>
  execFileSync("git", ["--git-dir", forge.folder, ...args], { encoding: "utf8" }).trim();

export const env = { GITHUB_TOKEN: forgeToken };

/** A scene whose main is at the forge, too. */
export async function withForge(scene: Scene, forge: ForgeServer): Promise<void> {
  scene.git("push", "--quiet", "--force", forge.folder, "main");
  scene.git("remote", "add", "origin", `${forge.url}/octo/sample.git`);
  await scene.run(["config", "set", "forge.github_api", forge.api]);
  forge.requests.length = 0;
  forge.pulls.length = 0;
}
