// A name is looked up once, every address it leads to is judged, and those that were judged are connected to.
import type { LookupAddress } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { classifyHost, type HostClass, isDocumentation } from "../../base/address.ts";
import { NetFailure } from "./failure.ts";

export type Resolve = (host: string) => Promise<LookupAddress[]>;

/**
 * All addresses of a host that was judged by its name. Rejects with a NetFailure when one of them is of another class:
 * a public name that leads inside, `localhost` that leads out.
 */
export async function checkedAddresses(hostname: string, resolve?: Resolve): Promise<LookupAddress[]> {
  const host = hostname.replace(/^\[|\]$/g, "");
  const expected = classifyHost(host);
  const addresses = isIP(host) ? [{ address: host, family: isIP(host) }] : await lookUp(host, resolve);
  const bad = addresses.find(({ address }) => !fits(address, expected));
  if (bad) {
    throw new NetFailure("forbidden", `${host} resolves to ${bad.address}, an address inside; it is not reached.`);
  }
  if (addresses.length === 0) throw new NetFailure("unreachable", `${host} has no address.`);
  return addresses;
}

/** Test networks give addresses that are meant for documentation to public names; nothing else lives there. */
const fits = (address: string, expected: HostClass): boolean =>
  classifyHost(address) === expected || (expected === "public" && isDocumentation(address));

async function lookUp(host: string, resolve?: Resolve): Promise<LookupAddress[]> {
  try {
    if (resolve) return await resolve(host);
    const { lookup } = process.getBuiltinModule("node:dns/promises");
    return await lookup(host, { all: true });
  } catch (error) {
    throw new NetFailure("unreachable", `${host} could not be found.`, error);
  }
}

/** Answers every lookup with the addresses that were judged: a second answer of the DNS cannot slip in. */
export function pinned(addresses: readonly LookupAddress[]): LookupFunction {
  return (_host, { all }, done) => {
    const [first] = addresses;
    if (!first) done(new Error("no address"), "");
    else if (all) done(null, [...addresses]);
    else done(null, first.address, first.family);
  };
}
