// A process that may use the network gets one of its own. Before its command starts, a first program opens listening
// sockets in there, hands them to fettle and ends: fettle serves them from outside (net/egress.ts), and no socket of
// the machine has to be reachable from inside, by path or otherwise.

import { existsSync } from "node:fs";

/** Where the sandbox shows fettle's own runtime, which may lie in a folder that is hidden there. */
const runtime = () => (existsSync("/run") ? "/run/fettle-node" : "/tmp/fettle-node");

export const doorMounts = (): string[] => ["--ro-bind", process.execPath, runtime()];

/** Sends every listening socket with its port; one that cannot be opened is left out. */
const opener = `
const { createServer } = require("node:net");
const ports = process.argv.slice(1).map(Number);
const next = () => {
  const port = ports.shift();
  if (port === undefined) return process.send("opened", () => process.reallyExit(0));
  const server = createServer().on("error", next);
  server.listen({ port, host: "127.0.0.1", backlog: 128 }, () => process.send(port, server, {}, next));
};
next();`;

/** The command gets neither the channel nor the variables that tell of it. */
const launcher = (channel: number) =>
  `NODE_USE_ENV_PROXY= "$1" -e "$2" $3 </dev/null || exit 125; shift 3; ` +
  `unset NODE_CHANNEL_FD NODE_CHANNEL_SERIALIZATION_MODE; exec "$@" ${channel}<&-`;

/** The command behind its doors. `channel`: the descriptor of the channel to fettle. */
export const throughDoors = (argv: readonly string[], ports: readonly number[], channel: number): string[] => [
  ...["/bin/sh", "-c", launcher(channel), "sh", runtime(), opener, ports.join(" ")],
  ...argv,
];

const options = (host: string, port: number): string =>
  ["http", "https"].map((scheme) => `-D${scheme}.proxyHost=${host} -D${scheme}.proxyPort=${port}`).join(" ");

/** What programs read to find a proxy. Their own servers, and ports of this machine that were granted, need none. */
export function proxyEnvironment(port: number): Record<string, string> {
  const proxy = `http://127.0.0.1:${port}`;
  const direct = "localhost,127.0.0.1,::1";
  const java = `${options("127.0.0.1", port)} -Dhttp.nonProxyHosts=localhost|127.*|[::1]`;
  const both = { HTTP_PROXY: proxy, HTTPS_PROXY: proxy, ALL_PROXY: proxy, NO_PROXY: direct };
  return {
    ...both,
    ...Object.fromEntries(Object.entries(both).map(([name, value]) => [name.toLowerCase(), value])),
    npm_config_proxy: proxy,
    npm_config_https_proxy: proxy,
    npm_config_noproxy: direct,
    NODE_USE_ENV_PROXY: "1",
    CARGO_HTTP_PROXY: proxy,
    MAVEN_OPTS: `${java} -Daether.connector.http.useSystemProperties=true`,
    GRADLE_OPTS: java,
    SBT_OPTS: java,
  };
}
