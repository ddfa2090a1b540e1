// Who is asked at a forge, and with which token: the person's, from the environment or the keychain, for its hosts only.
import type { Settings } from "../../io/config/settings.ts";
import type { ForgeWorld } from "../../io/forge/hand.ts";
import type { Program } from "./program.ts";

const publicHosts = ["github.com", "api.github.com"];

/** The hosts of the person's own GitHub: where its API is, and where its repositories are. */
export function forgeHosts({ forge }: Settings): string[] {
  const api = forge.github_api;
  if (api === undefined || !URL.canParse(api)) return [];
  const { host } = new URL(api);
  return [...new Set([host, host.replace(/^api\./, "")])].filter((each) => !publicHosts.includes(each));
}

const publicVariables = ["GITHUB_TOKEN", "GH_TOKEN"];
const ownVariables = ["GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"];

/** The keychain's name of the token that `fettle login github` stores. */
export const forgeSecret = "forge:github";

async function tokenFor({ config, env }: Program, host: string): Promise<string | undefined> {
  const own = forgeHosts(config().settings);
  if (!publicHosts.includes(host) && !own.includes(host)) return undefined;
  const names = own.includes(host) ? [...ownVariables, ...publicVariables] : publicVariables;
  const given = names.map((name) => env[name]?.trim()).find(Boolean);
  if (given !== undefined) return given;
  const { credentialsFile, getSecret } = await import("../../io/places/keychain.ts");
  return getSecret(forgeSecret, credentialsFile(env));
}

export const forgeWorld = (program: Program): ForgeWorld => ({
  token: (host) => tokenFor(program, host),
  configured: (host) => forgeHosts(program.config().settings).includes(host),
});
