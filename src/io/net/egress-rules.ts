// Which hosts a sandboxed process may reach: those that were granted, and no address inside unless it was named itself.
import { classifyHost } from "../../base/address.ts";
import { type HostPattern, isNamedInside, nameMatches, parsePattern } from "../../base/host-pattern.ts";
import { readWebAddress } from "../../base/web-address.ts";

export interface EgressGrant {
  /** `host`, `*.host`, each with `:port`; without one, 80 and 443. */
  hosts: readonly string[];
  /** The hosts were not known beforehand: every public one, at any port. */
  anyPublic: boolean;
  /** Behind these ports of this machine, as far as they are among the hosts, stand sockets of it. */
  sockets?: readonly { port: number; path: string }[];
}

export interface Destination {
  host: string;
  port: number;
}

const webPorts = new Set([80, 443]);

/** `host:port` as a client sends it, or why it is none. */
export function parseDestination(authority: string, fallbackPort?: number): Destination | { refused: string } {
  const read = readWebAddress(`http://${authority}/`);
  if ("problem" in read || read.credentials || /[/?#]/.test(authority)) return { refused: "this is no host and port" };
  const port = /:(\d+)$/.exec(authority)?.[1];
  const number = port === undefined ? fallbackPort : Number(port);
  return number === undefined || number < 1 ? { refused: "the port is missing" } : { host: read.host, port: number };
}

const covers = (pattern: HostPattern, { host, port }: Destination): boolean =>
  nameMatches(host, pattern.name) && (pattern.port === undefined ? webPorts.has(port) : Number(pattern.port) === port);

/** Undefined when it may be reached, by its name; its addresses are judged when they are known. */
export function refusalOf(destination: Destination, grant: EgressGrant): string | undefined {
  const kind = classifyHost(destination.host);
  const patterns = grant.hosts.map(parsePattern);
  if (kind === "public") {
    if (grant.anyPublic || patterns.some((pattern) => covers(pattern, destination))) return undefined;
    return `not among the hosts granted to this command (${grant.hosts.join(", ") || "none"})`;
  }
  const asked = { name: destination.host, port: String(destination.port), ownPort: "80" };
  if (patterns.some((pattern) => isNamedInside(pattern, asked))) return undefined;
  return kind === "invalid" ? "not a host name" : `a ${kind} address, which only its exact name and port can grant`;
}

/** Ports of this machine that were granted by name: a program may reach them as if they were its own. */
export function directPorts(grant: EgressGrant): Destination[] {
  const found = grant.hosts.map(parsePattern).flatMap(({ name, port }) => {
    return isHere(name) ? [{ host: name, port: port === undefined ? 80 : Number(port) }] : [];
  });
  return found.filter(({ port }, at) => port > 0 && found.findIndex((other) => other.port === port) === at);
}

const isHere = (name: string): boolean => name === "localhost" || name === "127.0.0.1" || name === "::1";

export const isOwnPort = ({ host }: Destination): boolean => isHere(host);
