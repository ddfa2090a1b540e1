// One connection to a PostgreSQL server, through the only way out that the sandbox leaves. The connection string stays in
// this process: no answer and no error holds it or its parts.
import { request } from "node:http";
import { connect, type Socket } from "node:net";
import postgres from "postgres";
import { classifyHost } from "../../../base/address.ts";
import { splitHost } from "../../../base/host-pattern.ts";
import { PluginProblem } from "../serving/spec.ts";
import type { PostgresDatabase } from "./spec.ts";

export type Sql = ReturnType<typeof postgres>;
export type Transaction = postgres.TransactionSql;

const connectSeconds = 10;

/** Throws a PluginProblem. `env`: of the plugin's process. */
export function openConnection(database: PostgresDatabase, env: NodeJS.ProcessEnv, writes: boolean): Sql {
  const { name, host, variable } = database;
  const address = addressIn(env[variable], name);
  const granted = splitHost(host);
  const port = Number(granted.port ?? 5432);
  if (address.hostname.replace(/^\[|\]$/g, "") !== granted.name || Number(address.port || 5432) !== port)
    throw new PluginProblem(
      `The connection string of ${name} leads elsewhere than to ${host}, which its settings grant.`,
    );
  return postgres(address.href, {
    max: 1,
    prepare: false,
    fetch_types: false,
    connect_timeout: connectSeconds,
    ssl: encryption(address, granted.name),
    onnotice: () => undefined,
    connection: {
      application_name: "fettle",
      ...(!writes && { default_transaction_read_only: true }),
    },
    // The library takes a socket that is connected already; its types do not say so.
    ...({ socket: () => socketTo({ name: granted.name, port }, env) } as object),
  });
}

function addressIn(given: string | undefined, name: string): URL {
  const address = URL.parse((given ?? "").trim());
  if (address && /^postgres(ql)?:$/.test(address.protocol)) return address;
  throw new PluginProblem(
    given
      ? `The connection string of ${name} is not of the form postgres://USER:PASSWORD@HOST:PORT/DATABASE.`
      : `There is no connection string for ${name}.`,
  );
}

/** What leaves this machine is encrypted, and to whom it goes is checked, unless the connection string says less. */
function encryption({ searchParams }: URL, host: string): "require" | "verify-full" | "prefer" | false {
  const said = searchParams.get("sslmode") ?? searchParams.get("ssl");
  const kind = classifyHost(host);
  if (said === "require" || said === "verify-full" || said === "prefer") {
    return said === "prefer" && kind === "public" ? "require" : said;
  }
  if (kind === "loopback" || (kind === "private" && said === "disable")) return false;
  return "verify-full";
}

/** Ports of this machine that were granted are there as they are; every other host lies behind fettle's proxy. */
function socketTo({ name, port }: { name: string; port: number }, env: NodeJS.ProcessEnv): Promise<Socket> {
  const proxy = URL.parse(env["HTTPS_PROXY"] ?? "");
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const unreachable = () => reject(new PluginProblem(`${name}:${port} cannot be reached.`));
  if (!proxy || classifyHost(name) === "loopback") {
    const socket = connect({ host: name, port });
    socket.once("error", unreachable).once("connect", () => {
      socket.off("error", unreachable);
      resolve(socket);
    });
  } else {
    const path = `${name.includes(":") ? `[${name}]` : name}:${port}`;
    const asked = request({
      host: proxy.hostname,
      port: proxy.port,
      method: "CONNECT",
      path,
      timeout: connectSeconds * 1000,
    });
    asked
      .once("error", unreachable)
      .once("timeout", () => asked.destroy())
      .once("response", unreachable);
    asked.once("connect", (response, socket) =>
      response.statusCode === 200 ? resolve(socket as Socket) : unreachable(),
    );
    asked.end();
  }
  return promise;
}

/** What the server says of a statement, without what only the connection knows. */
export function refusalText(error: unknown, database: PostgresDatabase, env: NodeJS.ProcessEnv): string {
  if (error instanceof PluginProblem) return error.message;
  const code = error instanceof postgres.PostgresError ? error.code : String((error as { code?: unknown }).code ?? "");
  if (code === "57014") return "The statement took longer than it may and was ended.";
  const said = error instanceof Error ? error.message : String(error);
  const address = URL.parse(env[database.variable] ?? "");
  const secret = [env[database.variable], address?.password, address && decodeURIComponent(address.password)];
  const safe = secret.reduce<string>((text, each) => (each ? text.replaceAll(each, "***") : text), said);
  return error instanceof postgres.PostgresError
    ? `PostgreSQL refuses: ${safe.slice(0, 500)}`
    : `There is no connection to ${database.name}: ${safe.slice(0, 300)}`;
}
