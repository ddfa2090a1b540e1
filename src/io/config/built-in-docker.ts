// The Docker daemon that a person has switched on: where it is reached, and whether images are built by it.
import { realpathSync, statSync } from "node:fs";
import path from "node:path";
import { classifyHost } from "../../base/address.ts";
import { withFallback, anyError } from "../../base/fallback.ts";
import { splitHost } from "../../base/host-pattern.ts";
import type { Json } from "../../protocol/message.ts";
import type { DockerOptions } from "../built-in/docker/spec.ts";
import type { McpServer } from "../mcp/spec.ts";
import { builtInServer, type Here } from "./built-in-server.ts";
import type { Settings } from "./settings.ts";

const usual = { socket: "/var/run/docker.sock", port: 2375 };
const buildMs = 15 * 60_000;

/** A socket stands behind a port of the plugin's own network, since no process in the sandbox may open one by its path. */
export function dockerServers({ docker }: Settings, { workspace, env, notices }: Here): McpServer[] {
  if (!docker.enabled) return [];
  const given = docker.host ?? (env["DOCKER_HOST"] || usual.socket);
  const place = placeOf(given);
  if ("problem" in place) {
    notices.push(`docker.enabled is true, but ${place.problem}.`);
    return [];
  }
  const { host, port, socket } = place;
  const options: DockerOptions = { host, port };
  const hosts = [`${host}:${port}`];
  const sockets = socket === undefined ? {} : { sockets: [{ port, path: socket }] };
  const more = { programs: [], foreign: true as const, ...sockets };
  const reader = builtInServer("docker", { options, hosts, more: { ...more, ownHosts: true } });
  if (!docker.build) return [reader];
  // What a Dockerfile runs has the daemon's network, so its hosts are not all that is reached.
  const builds: DockerOptions = { ...options, workspace: realpathSync(workspace) };
  const obeys = (_tool: string, input: Json) => [recipeOf(builds.workspace ?? workspace, input)];
  const builder = builtInServer("docker-build", {
    options: builds,
    ...{ read: [workspace], hosts },
    more: { ...more, obeys },
  });
  return [reader, { ...builder, timeoutMs: buildMs }];
}

/** As the plugin finds it; a call that it refuses obeys nothing. */
function recipeOf(workspace: string, input: Json): string {
  const given = typeof input === "object" && input !== null && !Array.isArray(input) ? input : {};
  const named = (key: string, usual: string) =>
    typeof given[key] === "string" && given[key] !== "" ? given[key] : usual;
  return path.resolve(workspace, named("folder", "."), named("file", "Dockerfile"));
}

type Place = { host: string; port: number; socket?: string } | { problem: string };

function placeOf(given: string): Place {
  const path = given.replace(/^unix:\/\//, "");
  if (path.startsWith("/")) {
    if (process.platform !== "linux") return { problem: "a socket is served on Linux alone; name host:port" };
    const there = withFallback(false, anyError, () => statSync(path).isSocket());
    if (!there) return { problem: `there is no socket ${path}; docker.host names another place` };
    return { host: "localhost", port: usual.port, socket: realpathSync(path) };
  }
  const { name, port = String(usual.port) } = splitHost(given.replace(/^tcp:\/\//, ""));
  // Whoever reaches it over a network is its root; fettle speaks to it without a certificate.
  if (classifyHost(name) === "loopback" && /^\d+$/.test(port)) return { host: name, port: Number(port) };
  return { problem: `docker.host ${given} is neither a socket nor host:port of this machine` };
}
