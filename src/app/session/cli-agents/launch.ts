// Where another agent's program lies, what is its own, and how it is started there.
import { existsSync, realpathSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { AgentLaunch } from "../../../guard/fence/process.ts";
import { GrantError } from "../../../guard/contract/grant.ts";
import { makePrivateFolder } from "../../../io/places/places.ts";
import { programOnPath } from "../../../io/toolchain/program-on-path.ts";
import { keyOf } from "../../../model/arms.ts";
import { endpoints } from "../../../model/contract/endpoints.ts";
import { knownPrograms } from "../../../model/registry/command-line.ts";
import type { ActionOf } from "../../../protocol/action.ts";
import { sandboxOf } from "../../program/machine.ts";
import type { Program } from "../../program/program.ts";
import { drivers } from "./drivers.ts";

const vendorHosts = ["api.anthropic.com", "api.openai.com", "generativelanguage.googleapis.com"];

/** Throws a GrantError when it is not installed any more. `temporary`: for sessions of which nothing is kept. */
export async function launchOf(self: Program, temporary: string, action: ActionOf<"cli-agent">): Promise<AgentLaunch> {
  const { env, workspace, project, incognito, config } = self;
  const driver = drivers[action.agent];
  const known = knownPrograms.find(({ program }) => program === action.agent);
  const found = programOnPath(action.agent, env, workspace);
  const endpoint = known && endpoints(config().settings, env).get(known.vendor);
  if (!driver || !found || !endpoint) throw new GrantError(`There is no program ${action.agent} in PATH any more.`);
  const home = path.join(incognito ? temporary : project.root, "cli-agents", action.agent);
  makePrivateFolder(home);
  for (const [name, text] of Object.entries(driver.files ?? {})) {
    const file = path.join(home, name);
    makePrivateFolder(path.dirname(file));
    if (!existsSync(file)) writeFileSync(file, text, { mode: 0o600 });
  }
  const { baseUrl } = endpoint;
  const usual = vendorHosts.includes(new URL(baseUrl).host);
  const confined = config().settings.cli.codex_sandbox === "fettle" && sandboxOf(self).name !== "none";
  const account = { baseUrl, usual, confined, key: await keyOf(endpoint, env) };
  const program = realpathSync.native(found);
  return {
    argv: [program, ...driver.words(action, account)],
    env: { HOME: home, ...driver.env(account, home, action) },
    stdin: action.prompt,
    home,
    program: installedBelow(program),
  };
}

/** What a program is made of lies beside it, and for a package's in the folder of all packages. */
function installedBelow(program: string): string {
  const at = program.indexOf("/node_modules/");
  return at < 0 ? path.dirname(program) : program.slice(0, at + "/node_modules".length);
}
