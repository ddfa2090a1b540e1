// Commands in the sandbox have a network of their own. Once a program was left running they share it: loopback means that
// network then, and nothing leaves it. What is taken for loopback here by mistake finds nobody there.
import { type Context, note } from "./context.ts";
import { targetOf } from "./hosts.ts";
import { hole, type Text } from "../syntax/text.ts";

const shared = ({ run: { facts } }: Context): boolean => facts.sharedNetwork?.() === true;

/** Whether all of these are addresses of programs that were left running. */
export const inOwnNetwork = (addresses: readonly Text[], at: Context): boolean =>
  addresses.length > 0 && shared(at) && addresses.every((each) => isOwn(each, at));

function isOwn({ value }: Text, at: Context): boolean {
  // A port or a path may be unknown; the host may not.
  const target = targetOf(value.split(hole).join("1"));
  const authority = /^(?:[a-z][a-z0-9+.-]*:\/\/)?([^/?#:]*|\[[^\]]*\])/i.exec(value)?.[1] ?? "";
  if (target?.kind !== "loopback" || authority.includes(hole)) return false;
  const { host, port } = target;
  return at.run.facts.namedHost?.(port === "" ? host : `${host}:${port}`) !== true;
}

export const noteOwn = (at: Context): void =>
  note(at, "L1", "network.own", "talks to what this session left running, in a network that nothing leaves");

/** Whether a program that serves is reached by nobody but the session. */
export const servesOwn = ({ run: { facts } }: Context): boolean => facts.ownNetwork === true;

const address = /\b[a-z][a-z0-9+.-]*:\/\/([^/\s"'`?#)]*)/gi;
const loopback = /^(?:[^@]*@)?(?:localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[::1?\])(?::|$)/i;

/** Whether code names addresses of its own network, and no other. */
export function codeStaysInside(code: string, at: Context): boolean {
  if (!shared(at) || !/\b(?:localhost|127\.0\.0\.1|0\.0\.0\.0)\b|::1/i.test(code)) return false;
  const named = [...code.matchAll(address)].map(([, host = ""]) => host);
  return named.every((host) => loopback.test(host)) && !named.some((host) => at.run.facts.namedHost?.(host) === true);
}
