// Who has signed in to which MCP server: tokens in the keychain, as other secrets are kept, each for one address.
import { entryOf } from "../../base/entry.ts";
import { Fault } from "../../base/fault.ts";
import type { Login, StoredLogin } from "../../io/mcp/login.ts";
import { McpFailure, type McpTokens } from "../../io/mcp/spec.ts";
import { credentialsFile, getSecret, removeSecret, setSecret } from "../../io/places/keychain.ts";
import type { Command } from "../../protocol/client.ts";
import { Exit } from "../../protocol/exit.ts";
import type { McpLoginStart, McpLoginWish } from "../../protocol/mcp.ts";
import type { Program } from "./program.ts";

const secretName = (server: string) => `mcp:${server}`;

type Place = Pick<Program, "env">;

async function loginOf({ env }: Place, server: string): Promise<StoredLogin | undefined> {
  const text = await getSecret(secretName(server), credentialsFile(env));
  return text === undefined ? undefined : (JSON.parse(text) as StoredLogin);
}

const keepLogin = (program: Place, server: string, login: StoredLogin, plainFile: boolean) =>
  setSecret(secretName(server), JSON.stringify(login), { plainFile }, credentialsFile(program.env));

const earlyMs = 30_000;

/** A login for another address than the server's is none. */
export function tokensFor(program: Place, server: string, url: string): McpTokens {
  let known: Promise<StoredLogin | undefined> | undefined;
  let renewing: Promise<string | undefined> | undefined;
  const read = () => (known ??= loginOf(program, server).then((login) => (login?.url === url ? login : undefined)));
  /** A token renews once: whoever asks meanwhile waits for that, and another process may have been first. */
  const renewed = async (refused: string) => {
    known = undefined;
    const before = await read();
    if (!before || before.tokens.access_token !== refused) return before?.tokens.access_token;
    const { renewLogin } = await import("../../io/mcp/login.ts");
    const login = await renewLogin(server, before);
    if (!login) return undefined;
    await keepLogin(program, server, login, false);
    known = Promise.resolve(login);
    return login.tokens.access_token;
  };
  const renew = (refused: string) => (renewing ??= renewed(refused).finally(() => (renewing = undefined)));
  return {
    remedy: `fettle mcp login ${server}`,
    renew,
    async current() {
      const login = await read();
      if (!login) return undefined;
      const { expires_in: seconds, access_token: token } = login.tokens;
      const over = seconds !== undefined && Date.now() > login.at + seconds * 1000 - earlyMs;
      return over ? ((await renew(token)) ?? token) : token;
    },
  };
}

/** Begun in this process; `done`: it could not be stored yet. */
const begun = new Map<string, { login: Login; done?: StoredLogin }>();

/** Asks the server where one signs in; nothing is opened. Rejects with a Fault. */
export async function startLogin(
  program: Program,
  { server, clientId, clientSecret, scope }: McpLoginWish,
): Promise<McpLoginStart> {
  const url = program.config().mcp.servers.find(({ name, origin }) => name === server && origin === "user")?.url;
  if (url === undefined)
    throw new Fault(
      "mcp.login",
      Exit.usage,
      `You have set up no MCP server ${server} at an address.`,
      "fettle mcp list shows those that there are.",
    );
  const before = await loginOf(program, server);
  const { beginLogin } = await import("../../io/mcp/login.ts");
  const secret = clientSecret === undefined ? undefined : entryOf(program.env, clientSecret);
  if (clientSecret !== undefined && secret === undefined)
    throw new Fault("mcp.login", Exit.usage, `There is no variable ${clientSecret}.`, `export ${clientSecret}=…`);
  const known =
    before?.url === url
      ? { hosts: before.hosts, ...(before.scope !== undefined && { scopeBefore: before.scope }) }
      : {};
  const given = {
    ...(clientId !== undefined && { clientId }),
    ...(secret !== undefined && { clientSecret: secret }),
    ...(scope !== undefined && { scope }),
  };
  const login = await asFaults(
    beginLogin({ server, url, ...given, ...known }),
    before ? `If it has moved: fettle mcp logout ${server}` : `fettle mcp logs ${server}`,
  );
  await begun.get(server)?.login.close();
  begun.set(server, { login });
  const { address, host, to } = login;
  return { address, host, ...(to !== undefined && { to }) };
}

/** Waits for the person to come back from their browser. Rejects with a Fault; where only storing failed, it may be called again. */
export async function finishLogin(
  program: Program,
  { server, plainFile }: Extract<Command, { type: "mcp.login" }>,
): Promise<void> {
  const entry = begun.get(server);
  const remedy = `fettle mcp login ${server}`;
  if (!entry) throw new Fault("mcp.login", Exit.usage, `No sign-in to ${server} has begun.`, remedy);
  try {
    entry.done ??= await asFaults(entry.login.finish(), remedy);
  } catch (error) {
    begun.delete(server);
    throw error;
  } finally {
    await entry.login.close();
  }
  await keepLogin(program, server, entry.done, plainFile);
  begun.delete(server);
}

export async function forgetLogin({ env }: Place, server: string): Promise<void> {
  if (await removeSecret(secretName(server), credentialsFile(env))) return;
  throw new Fault("mcp.login", Exit.usage, `Nobody has signed in to ${server}.`, `fettle mcp login ${server}`);
}

async function asFaults<T>(work: Promise<T>, remedy: string): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof McpFailure)) throw error;
    throw new Fault(error.code, Exit.failed, error.message, remedy);
  }
}
