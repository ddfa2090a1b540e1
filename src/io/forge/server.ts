// A remote over HTTP, in git's own protocol by fettle's own client: no other program has the network or the token.
import { exchange, type Exchange } from "./exchange.ts";
import { includes, packOf } from "./objects.ts";
import { type Advertisement, flush, packet, readAdvertisement, readReport } from "./packets.ts";
import { ForgeFailure, type PushEnd } from "./spec.ts";

export interface Server {
  /** Of the repository, as it is cloned. */
  url: string;
  token: string | undefined;
  configured: boolean;
  signal: AbortSignal;
}

type Service = "git-upload-pack" | "git-receive-pack";

const authorized = ({ token }: Server): Pick<Exchange, "authorization"> =>
  token === undefined ? {} : { authorization: `Basic ${Buffer.from(`x-access-token:${token}`).toString("base64")}` };

async function offer(server: Server, service: Service): Promise<Advertisement> {
  const { url, configured, signal, token } = server;
  const { status, bytes } = await exchange({
    url: `${url}/info/refs?service=${service}`,
    method: "GET",
    headers: { accept: "*/*" },
    ...{ configured, signal, ...authorized(server) },
    maxBytes: 64 * 1024 * 1024,
  });
  if (status === 401 || status === 403 || status === 404) {
    const why = token === undefined ? "it wants a token: fettle login github" : `its answer to the token is ${status}`;
    throw new ForgeFailure(`${url} is not open to fettle; ${why}.`);
  }
  if (status !== 200) throw new ForgeFailure(`${url} answers with status ${status}.`);
  const read = readAdvertisement(bytes, service);
  if (!read) throw new ForgeFailure(`${url} does not answer as a git server.`);
  return read;
}

export async function serverBranch(server: Server, branch: string): Promise<string | undefined> {
  const { refs } = await offer(server, "git-upload-pack");
  return refs.get(`refs/heads/${branch}`);
}

export async function serverPush(
  server: Server,
  objects: string,
  { branch, commit }: { branch: string; commit: string },
): Promise<PushEnd> {
  const { refs, capabilities } = await offer(server, "git-receive-pack");
  const reference = `refs/heads/${branch}`;
  const before = refs.get(reference);
  if (before === commit) return { kind: "unchanged", said: "" };
  if (before !== undefined && !(await includes(objects, commit, before)))
    return { kind: "refused", why: `${branch} is at ${before.slice(0, 9)} there, which is not in this work` };
  const sideBand = capabilities.includes("side-band-64k");
  const wanted = ["report-status", ...(sideBand ? ["side-band-64k"] : []), "agent=fettle"].join(" ");
  const line = `${before ?? "0".repeat(commit.length)} ${commit} ${reference}\0 ${wanted}\n`;
  const pack = await packOf(objects, commit, [...refs.values()]);
  const { url, configured, signal } = server;
  const { status, bytes } = await exchange({
    url: `${url}/git-receive-pack`,
    method: "POST",
    headers: {
      "content-type": "application/x-git-receive-pack-request",
      accept: "application/x-git-receive-pack-result",
    },
    body: Buffer.concat([Buffer.from(`${packet(line)}${flush}`), pack]),
    ...{ configured, signal, ...authorized(server) },
    timeoutMs: 300_000,
  });
  if (status === 401 || status === 403)
    return { kind: "refused", why: `${url} does not let this token push (${status})` };
  if (status !== 200) return { kind: "refused", why: `${url} answers with status ${status}` };
  const { why, said } = readReport(bytes, reference, sideBand);
  return why === undefined ? { kind: "pushed", said } : { kind: "refused", why: said === "" ? why : `${why}: ${said}` };
}
