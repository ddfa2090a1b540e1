// Signing in to an MCP server by OAuth: PKCE, a client that registers itself, tokens for that one server. A browser is the
// person's to open; what it is sent back to is a port of this machine that listens for one answer.
import { randomBytes } from "node:crypto";
import {
  auth,
  computeScopeUnion,
  extractWWWAuthenticateParams,
  type OAuthClientMetadata,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import { readWebAddress } from "../../base/web-address.ts";
import { NetFailure } from "../net/failure.ts";
import { serveLocally } from "../net/local-server.ts";
import { McpFailure, type McpFetch } from "./spec.ts";
import { exchange } from "./web.ts";

/** What is kept of somebody who has signed in. */
export interface StoredLogin {
  /** The server that the tokens are for, and no other. */
  url: string;
  /** That were talked with for it. */
  hosts: string[];
  /** The rights that were asked for. */
  scope?: string;
  client?: StoredOAuthClientInformation;
  tokens: StoredOAuthTokens;
  /** ms since 1970. */
  at: number;
}

export interface Login {
  /** For the person to open. */
  address: string;
  /** Whom they sign in at. */
  host: string;
  /** Who gets what the browser brings back, where that is another. */
  to?: string;
  /** Waits for the browser to come back. Rejects with an McpFailure. */
  finish(): Promise<StoredLogin>;
  close(): Promise<void>;
}

export interface LoginWish {
  server: string;
  url: string;
  /** Registered beforehand, where a server takes no other; an https address is that of the client's own description. */
  clientId?: string;
  clientSecret?: string;
  /** Rights that are wanted besides those that the server names itself, and those that were asked for before. */
  scope?: string;
  scopeBefore?: string;
  /** The only hosts that may be talked with, those of an earlier login; absent: what the server names. */
  hosts?: readonly string[];
}

const mostHosts = 4;
const waitMs = 5 * 60 * 1000;

/** Rejects with an McpFailure. */
export async function beginLogin(wish: LoginWish): Promise<Login> {
  const state = randomBytes(24).toString("base64url");
  const answer = Promise.withResolvers<URLSearchParams>();
  answer.promise.catch(() => undefined);
  const listener = await serveLocally(({ method, path }) => {
    const url = new URL(path, "http://127.0.0.1");
    const fits = method === "GET" && url.pathname === "/callback" && url.searchParams.get("state") === state;
    if (fits) answer.resolve(url.searchParams);
    const text = fits ? "You can close this page." : "This is not what fettle waits for.";
    return { status: fits ? 200 : 400, contentType: "text/plain; charset=utf-8", body: [`${text}\n`] };
  });
  const heard = new Set<string>();
  const fetchFn = loginFetch(wish, heard);
  const { clientId, clientSecret } = wish;
  const provider = new LoginProvider({ redirect: `${listener.url}/callback`, state, clientId, clientSecret });
  try {
    const address = await attempt(wish, async () => {
      await auth(provider, { serverUrl: wish.url, fetchFn, ...(await challenge(wish, fetchFn)) });
      if (provider.address) allowed(provider.address.href, wish);
      return provider.address;
    });
    if (!address) throw new McpFailure("mcp.login", `The MCP server ${wish.server} asks for no sign-in.`);
    return {
      ...{ address: address.href, host: address.host, close: () => listener.close() },
      ...otherHost(address, provider.discoveryState()?.authorizationServerMetadata?.token_endpoint),
      finish: () => finished(wish, { provider, fetchFn, answer: answer.promise, heard }),
    };
  } catch (error) {
    await listener.close();
    throw error;
  }
}

const question = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} });
const questionHeaders = { "content-type": "application/json", accept: "application/json, text/event-stream" };

/** What the server says to somebody it does not know: where it is described, and which rights it wants. */
async function challenge(
  { url, scope: more, scopeBefore }: LoginWish,
  fetchFn: McpFetch,
): Promise<{ scope?: string; resourceMetadataUrl?: URL }> {
  const reply = await fetchFn(url, { method: "POST", body: question, headers: questionHeaders });
  await reply.body?.cancel();
  const { resourceMetadataUrl, scope: named } = reply.status === 401 ? extractWWWAuthenticateParams(reply) : {};
  const wanted = computeScopeUnion(named, more);
  const scope = wanted === undefined ? undefined : computeScopeUnion(scopeBefore, wanted);
  return { ...(scope !== undefined && { scope }), ...(resourceMetadataUrl && { resourceMetadataUrl }) };
}

/** A server may name somebody's sign-in and a place of its own for what comes back: that is the person's to see. */
function otherHost(address: URL, tokenEndpoint: string | undefined): { to?: string } {
  const host = tokenEndpoint === undefined ? undefined : URL.parse(tokenEndpoint)?.host;
  return host === undefined || host === address.host ? {} : { to: host };
}

interface Finishing {
  provider: LoginProvider;
  fetchFn: McpFetch;
  answer: Promise<URLSearchParams>;
  heard: ReadonlySet<string>;
}

async function finished(wish: LoginWish, { provider, fetchFn, answer, heard }: Finishing): Promise<StoredLogin> {
  const late = Promise.withResolvers<never>();
  // The listener does not hold the process: this does, until the person is back.
  const timer = setTimeout(() => late.reject(failed(wish, "nobody came back from the browser")), waitMs);
  const params = await Promise.race([answer, late.promise]).finally(() => clearTimeout(timer));
  const code = params.get("code");
  const iss = params.get("iss");
  // What else came back was not written by whoever it names.
  if (code === null) throw failed(wish, `it was refused (${(params.get("error") ?? "no code").slice(0, 60)})`);
  await attempt(wish, () =>
    auth(provider, { serverUrl: wish.url, authorizationCode: code, ...(iss !== null && { iss }), fetchFn }),
  );
  const { tokens, client } = provider.kept;
  if (!tokens) throw failed(wish, "there came no token");
  const scope = provider.address?.searchParams.get("scope");
  const kept = { ...(client && { client }), ...(scope != null && { scope }) };
  return { url: wish.url, hosts: [...heard], ...kept, tokens, at: Date.now() };
}

/** Undefined: there is nothing to renew it with. Rejects with an McpFailure. */
export async function renewLogin(server: string, login: StoredLogin): Promise<StoredLogin | undefined> {
  if (login.tokens.refresh_token === undefined) return undefined;
  const { url, hosts, client } = login;
  const wish = { server, url, hosts };
  const provider = new LoginProvider({
    redirect: "http://127.0.0.1/callback",
    nobody: true,
    state: "",
    clientId: undefined,
    clientSecret: undefined,
  });
  Object.assign(provider.kept, { tokens: login.tokens, client });
  await attempt(wish, () => auth(provider, { serverUrl: url, fetchFn: loginFetch(wish, new Set()) }));
  const { tokens } = provider.kept;
  return tokens && tokens !== login.tokens ? { ...login, tokens, at: Date.now() } : undefined;
}

/** The server's own host, and those that it names for signing in: public ones by https, this machine where the server is there. */
const loginFetch =
  (wish: LoginWish, heard: Set<string>): McpFetch =>
  async (input, init = {}) => {
    const url = allowed(String(input), wish);
    heard.add(url.host);
    if (heard.size > mostHosts) throw new NetFailure("forbidden", `${wish.server} names too many hosts to sign in at.`);
    return exchange(url, init, {});
  };

function allowed(given: string, { url: server, hosts }: LoginWish): URL {
  const read = readWebAddress(given);
  const refused = (why: string) =>
    new NetFailure("forbidden", `${given.replace(/[?#][^]*$/, "").slice(0, 200)} ${why}.`);
  if ("problem" in read) throw refused(read.problem);
  const { url, kind, credentials, mixed } = read;
  const own = url.host === new URL(server).host;
  const here = readWebAddress(server);
  const local = kind === "loopback" && !("problem" in here) && here.kind === "loopback";
  if (credentials || mixed || !(own || local || (kind === "public" && url.protocol === "https:")))
    throw refused("is no address to sign in at");
  if (hosts && !hosts.includes(url.host)) throw refused("is not where you have signed in before");
  return url;
}

interface Opening {
  redirect: string;
  /** Nobody is there to be sent to a browser. */
  nobody?: true;
  state: string;
  clientId: string | undefined;
  clientSecret: string | undefined;
}

/** A client that describes itself at an address, for servers that read such descriptions. */
const isDescription = (clientId: string): boolean => /^https:\/\/[^/]+\/./.test(clientId);

class LoginProvider implements OAuthClientProvider {
  readonly kept: { tokens?: StoredOAuthTokens; client?: StoredOAuthClientInformation } = {};
  readonly clientMetadataUrl?: string;
  address: URL | undefined;
  readonly #opening: Opening;
  #verifier = "";
  #discovery: OAuthDiscoveryState | undefined;

  constructor(opening: Opening) {
    this.#opening = opening;
    const { clientId, clientSecret } = opening;
    if (clientId === undefined) return;
    if (isDescription(clientId)) this.clientMetadataUrl = clientId;
    else this.kept.client = { client_id: clientId, ...(clientSecret !== undefined && { client_secret: clientSecret }) };
  }

  get redirectUrl(): string {
    return this.#opening.redirect;
  }

  get clientMetadata(): OAuthClientMetadata {
    const { redirect } = this.#opening;
    return {
      ...{ client_name: "fettle", redirect_uris: [redirect] },
      ...{ grant_types: ["authorization_code", "refresh_token"], response_types: ["code"] },
      token_endpoint_auth_method: "none",
    };
  }

  state = (): string => this.#opening.state;
  clientInformation = (): StoredOAuthClientInformation | undefined => this.kept.client;
  tokens = (): StoredOAuthTokens | undefined => this.kept.tokens;
  codeVerifier = (): string => this.#verifier;
  discoveryState = (): OAuthDiscoveryState | undefined => this.#discovery;

  saveClientInformation(client: StoredOAuthClientInformation): void {
    this.kept.client = client;
  }

  saveTokens(tokens: StoredOAuthTokens): void {
    this.kept.tokens = tokens;
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovery = state;
  }

  redirectToAuthorization(address: URL): void {
    if (this.#opening.nobody) throw new Error("it wants another sign-in");
    this.address = address;
  }
}

const failed = ({ server }: Pick<LoginWish, "server">, why: string): McpFailure =>
  new McpFailure("mcp.login", `Signing in to the MCP server ${server} failed: ${why}.`);

async function attempt<T>(wish: Pick<LoginWish, "server">, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof McpFailure) throw error;
    const said = error instanceof Error ? error.message : String(error);
    throw failed(wish, said.slice(0, 500).replace(/\.$/, ""));
  }
}
