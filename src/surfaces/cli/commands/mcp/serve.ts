// `fettle mcp serve`: fettle's tools for other agents, over standard input and output, or at an address of this machine.
import { Exit } from "../../../../protocol/exit.ts";
import type { Identity } from "../../../../protocol/identity.ts";
import type { OpenFlags } from "../../../../protocol/open.ts";
import type { Passing, ServerHost, StreamHost } from "../../../mcp/host.ts";
import type { Context } from "../../host/context.ts";
import { onLeaving } from "../../host/leaving.ts";
import { usageFault } from "../../host/failure.ts";
import { renderApproval } from "../../render/approval.ts";
import { resultText } from "../../render/call.ts";
import { safeText } from "../../text/safe-text.ts";
import { createStyle } from "../../text/style.ts";
import { words } from "./words.ts";

export interface ServeOptions {
  as?: string[];
  http?: true;
  port?: string;
  newToken?: true;
  with?: string[];
  only?: string;
}

type Served = Partial<OpenFlags> & { served: true };

/** What is passed on is named here, and nowhere else. */
function passingOf({ with: beside = [], only }: ServeOptions): Passing | undefined {
  if (only !== undefined && beside.length > 0) throw usageFault(words.withOrOnly);
  if (only !== undefined) return { servers: [only], alone: true };
  return beside.length === 0 ? undefined : { servers: [...new Set(beside)], alone: false };
}

async function refuseUnknown(context: Context, { servers }: Passing): Promise<void> {
  const rows = await context.with({ headless: true }, (client) => client.read("mcp.list", {}));
  const missing = servers.find((server) => !rows.some(({ name }) => name === server));
  if (missing !== undefined) throw usageFault(words.noServer(safeText(missing)), words.noServerRemedy);
}

/** Whoever is served is one of the registered identities, or the person at this machine. */
async function identityFor(context: Context, given: string): Promise<Identity> {
  const rows = await context.with({ headless: true }, (client) => client.read("identity.list", {}));
  const row = rows.find(({ name }) => name === given || name === `local:${given}`);
  if (!row) throw usageFault(words.noIdentity(given), words.noIdentityRemedy);
  const { name, surface, role, approver } = row;
  return { name, surface, role, approver };
}

export async function serve(context: Context, options: ServeOptions): Promise<number> {
  const { as = [] } = options;
  if (!options.http && (options.port !== undefined || options.newToken)) throw usageFault(words.needsHttp);
  const identities = await Promise.all(as.map((each) => identityFor(context, each)));
  const passing = passingOf(options);
  if (passing) await refuseUnknown(context, passing);
  const flags: Served = {
    ...{ headless: false, served: true, session: { kind: "new" } },
    ...(passing && { passing: passing.servers }),
  };
  const end = new AbortController();
  let code: number = Exit.done;
  const release = onLeaving(context.host, (by) => {
    code = by;
    end.abort();
  });
  try {
    const host = { ...hostOf(context), ...(passing && { passing }) };
    const serving = { context, host, identities, flags };
    await (options.http ? serveAddress(serving, options, end.signal) : serveStreams(serving, end));
  } finally {
    release();
  }
  return code;
}

function hostOf({ host, err }: Context): ServerHost {
  const look = { style: createStyle({ colour: false, unicode: true }), width: 100 };
  return {
    version: host.version,
    log: (line) => err.line(`fettle mcp serve: ${safeText(line)}`),
    words: {
      card: (request) => renderApproval(request, look, Date.now()),
      result: resultText,
      ...words.served,
    },
  };
}

interface Serving {
  context: Context;
  host: ServerHost;
  identities: readonly Identity[];
  flags: Served;
}

async function serveStreams(serving: Serving, end: AbortController): Promise<void> {
  const { context, identities, flags } = serving;
  const { host, interactive } = context;
  const [identity, ...more] = identities;
  if (more.length > 0) throw usageFault(words.oneClient);
  if (interactive || host.stdin.isTTY === true) throw usageFault(words.terminal, words.terminalRemedy);
  const { serveTools } = await import("../../../mcp/serve.ts");
  const client = await context.open({ ...flags, ...(identity && { identity }) });
  for (const event of ["end", "close", "error"]) host.stdin.on(event, () => end.abort());
  host.stdout.on("error", () => end.abort());
  const streams = {
    input: host.stdin as unknown as StreamHost["input"],
    output: host.stdout as unknown as StreamHost["output"],
  };
  await serveTools({ ...serving.host, client, ...streams }, end.signal);
}

const highestPort = 65_535;

function portOf(given: string): number {
  const port = Number(given);
  if (/^\d+$/.test(given) && port <= highestPort) return port;
  throw usageFault(words.badPort(given));
}

/** Each identity has a token of its own, which stays the same from one start to the next. */
async function serveAddress(
  { context, host, identities, flags }: Serving,
  { port: wanted = "0", newToken }: ServeOptions,
  end: AbortSignal,
): Promise<void> {
  const { serveWeb } = context.host;
  if (!serveWeb) throw usageFault(words.noAddress);
  const port = portOf(wanted);
  const { WebServing } = await import("../../../mcp/web.ts");
  const names = identities.length === 0 ? [undefined] : identities;
  const seats = await context.with({ headless: true }, async (client) =>
    Promise.all(
      names.map(async (identity) => ({
        name: identity?.name ?? words.you,
        token: await client.read("mcp.token", {
          ...(identity && { identity: identity.name }),
          ...(newToken && { renew: true }),
        }),
        open: () => context.open({ ...flags, ...(identity && { identity }) }),
      })),
    ),
  );
  const serving = new WebServing({ ...host, seats });
  const server = await serveWeb(port, serving.fetch, (error) => host.log(String(error)));
  for (const { name, token } of seats)
    context.err.line(words.servedAt(safeText(name), `http://127.0.0.1:${server.port}/mcp`, token));
  if (!end.aborted) await new Promise((resolve) => end.addEventListener("abort", resolve, { once: true }));
  await server.close();
  await serving.close();
}
