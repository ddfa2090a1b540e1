// What other agents are known by at an address: one token for each identity, on this machine alone.
import { randomBytes } from "node:crypto";
import path from "node:path";
import { anyError, withFallback } from "../../base/fallback.ts";
import { Fault } from "../../base/fault.ts";
import { withLockFile } from "../../io/files/lock-file.ts";
import { readRegular } from "../../io/files/regular.ts";
import { makePrivateFolder } from "../../io/places/places.ts";
import { keepFile } from "../../io/places/kept-files.ts";
import { Exit } from "../../protocol/exit.ts";
import { callerOf, needAdmin } from "./caller.ts";
import type { Program } from "./program.ts";

const fileOf = ({ places }: Program): string => path.join(places.state, "mcp-tokens.json");

function known(file: string): Record<string, string> {
  const read: unknown = withFallback({}, anyError, () => JSON.parse(readRegular(file)) as unknown);
  if (typeof read !== "object" || read === null) return {};
  return Object.fromEntries(Object.entries(read).filter((entry): entry is [string, string] => isToken(entry[1])));
}

const isToken = (value: unknown): boolean => typeof value === "string" && /^[\w-]{43}$/.test(value);

const times = { patienceMs: 5_000, staleMs: 10_000 };

/**
 * Made when it is first asked for. `renew`: the one before counts no more. Throws a Fault where another process keeps the
 * tokens to itself for seconds: one that is made beside it would be lost.
 */
export async function servedToken(
  program: Program,
  { identity, renew }: { identity?: string; renew?: boolean },
): Promise<string> {
  needAdmin(program, "Reading the token of an identity");
  const name = identity ?? callerOf(program).name;
  const file = fileOf(program);
  const before = tokenIn(file, name);
  if (before !== undefined && renew !== true) return before;
  makePrivateFolder(path.dirname(file));
  const made = await withLockFile(`${file}.lock`, times, async () => madeToken(file, name, renew === true));
  if (made) return made.value;
  throw new Fault(
    "mcp.tokens-busy",
    Exit.failed,
    "Another process is writing the tokens of other agents.",
    "Try again.",
  );
}

const tokenIn = (file: string, name: string): string | undefined => new Map(Object.entries(known(file))).get(name);

/** With the file to itself, which others may have written since it was looked at. */
function madeToken(file: string, name: string, renew: boolean): string {
  const tokens = new Map(Object.entries(known(file)));
  const before = tokens.get(name);
  if (before !== undefined && !renew) return before;
  const token = randomBytes(32).toString("base64url");
  tokens.set(name, token);
  keepFile(file, `${JSON.stringify(Object.fromEntries(tokens), null, 2)}\n`);
  return token;
}
