// What a person grants: `host`, `*.host`, `*`, each with `:port`, and for fettle's own requests a method before it and
// a path prefix behind it: `GET api.example.com/v1/`.
import { classifyHost } from "./address.ts";

export interface HostPattern {
  method: string | undefined;
  name: string;
  port: string | undefined;
  /** Begins with a slash. */
  path: string | undefined;
}

export interface Reached {
  /** Lower case; IPv6 without brackets. */
  name: string;
  /** Undefined: not known, or the scheme's own. */
  port: string | undefined;
}

/** A host with or without port. */
export function splitHost(text: string): Reached {
  const found = /^(?:\[([^\]]+)\]|([^:]*)|(.*?))(?::(\d+))?$/s.exec(text.trim().toLowerCase());
  const name = found?.[1] ?? found?.[2] ?? found?.[3] ?? text;
  return { name: name.replace(/\.$/, ""), port: found?.[4] };
}

export function parsePattern(text: string): HostPattern {
  const [, method, rest = ""] = /^(?:([A-Za-z]+)\s+)?(.*)$/s.exec(text.trim()) ?? [];
  const slash = rest.indexOf("/");
  const host = splitHost(slash < 0 ? rest : rest.slice(0, slash));
  const path = slash < 0 || slash === rest.length - 1 ? undefined : rest.slice(slash);
  return { method: method?.toUpperCase(), ...host, path };
}

export const nameMatches = (name: string, wanted: string): boolean =>
  wanted === "*" || wanted === name || (wanted.startsWith("*.") && name.endsWith(wanted.slice(1)));

/** Whether `/v1` covers the path of a request; what is spelled by codes that servers read in different ways is not covered. */
export function pathCovered(pathname: string, prefix: string | undefined): boolean {
  if (prefix === undefined) return true;
  if (/%(2f|5c|2e|25|00)|\\|\/\.{1,2}(\/|;|$)|;/i.test(pathname)) return false;
  return pathname === prefix || pathname.startsWith(prefix.endsWith("/") ? prefix : `${prefix}/`);
}

export interface WebRequest extends Reached {
  /** The scheme's own port, `443` or `80`. */
  ownPort: string;
  method: string;
  pathname: string;
}

/** Without a port a pattern means the scheme's own one. A public host only: an address inside must be named. */
export function requestCovered(pattern: HostPattern, request: WebRequest): boolean {
  const port = request.port ?? request.ownPort;
  return (
    nameMatches(request.name, pattern.name) &&
    (pattern.port ?? request.ownPort) === port &&
    methodCovered(request.method, pattern.method) &&
    pathCovered(request.pathname, pattern.path)
  );
}

export const methodCovered = (method: string, wanted: string | undefined): boolean =>
  wanted === undefined || wanted === method || (wanted === "GET" && method === "HEAD");

/** An address inside is granted as itself alone: an IP address or `localhost`, with the port. Metadata never is. */
export function isNamedInside(pattern: HostPattern, { name, port, ownPort }: Reached & { ownPort: string }): boolean {
  const kind = classifyHost(name);
  if (kind === "public" || kind === "metadata" || kind === "invalid") return false;
  const literal = name === "localhost" || name.includes(":") || /^\d+(\.\d+){3}$/.test(name);
  return literal && pattern.name === name && (pattern.port ?? ownPort) === (port ?? ownPort);
}
