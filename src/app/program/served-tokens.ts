// What other agents are known by at an address: one token for each identity, on this machine alone.
import { randomBytes } from "node:crypto";
import path from "node:path";
import { anyError, withFallback } from "../../base/fallback.ts";
import { readRegular } from "../../io/files/regular.ts";
import { keepFile } from "../../io/places/kept-files.ts";
import { callerOf, needAdmin } from "./caller.ts";
import type { Program } from "./program.ts";

const fileOf = ({ places }: Program): string => path.join(places.state, "mcp-tokens.json");

function known(file: string): Record<string, string> {
  const read: unknown = withFallback({}, anyError, () => JSON.parse(readRegular(file)) as unknown);
  if (typeof read !== "object" || read === null) return {};
  return Object.fromEntries(Object.entries(read).filter((entry): entry is [string, string] => isToken(entry[1])));
}

const isToken = (value: unknown): boolean => typeof value === "string" && /^[\w-]{43}$/.test(value);

/** Made when it is first asked for. `renew`: the one before counts no more. */
export function servedToken(program: Program, { identity, renew }: { identity?: string; renew?: boolean }): string {
  needAdmin(program, "Reading the token of an identity");
  const name = identity ?? callerOf(program).name;
  const tokens = new Map(Object.entries(known(fileOf(program))));
  const before = tokens.get(name);
  if (before !== undefined && renew !== true) return before;
  const token = randomBytes(32).toString("base64url");
  tokens.set(name, token);
  keepFile(fileOf(program), `${JSON.stringify(Object.fromEntries(tokens), null, 2)}\n`);
  return token;
}
