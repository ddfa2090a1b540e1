// MCP servers for scenes: the person's configuration names a stand-in that does what the test says.
import { copyFileSync, mkdirSync } from "node:fs";
import path from "node:path";
import { projectRoot } from "../support/program.ts";
import type { StandIn } from "../support/mcp/stand-in.mjs";
import type { Scene } from "./scene.ts";

/** Outside of the workspace, as a person's servers are, and outside of fettle's own folders. */
export function standInCommand(scene: Scene, of: StandIn): { command: string; args: string[] } {
  const script = scene.at("../servers/stand-in.mjs");
  mkdirSync(path.dirname(script), { recursive: true });
  copyFileSync(path.join(projectRoot, "test/support/mcp/stand-in.mjs"), script);
  return { command: "node", args: [script, JSON.stringify(of)] };
}

/** A table of config.toml; `more` are further lines of it. */
export function standIn(scene: Scene, name: string, of: StandIn, more = ""): string {
  const { command, args } = standInCommand(scene, of);
  return `[mcp.servers.${name}]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n${more}\n`;
}
