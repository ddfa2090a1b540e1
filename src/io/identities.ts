// The identities of this installation: each a key pair in the state folder, made by the person, found by its name.
import { existsSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { Fault } from "../base/fault.ts";
import { Exit } from "../protocol/exit.ts";
import { type KeyPair, knownPublicKey, loadKeyPair } from "./journal/key.ts";
import { eraseKeychain } from "./places/keychain.ts";

const prefix = "identity-";
const folderOf = (state: string): string => path.join(state, "identities");
/** Without dots: a draft of a key file ends in one and a number. */
const fileOf = (name: string): string => prefix + encodeURIComponent(name).replaceAll(".", "%2E");

/** `bob` is the local person of that name; anything else says its surface: `token:ci`, `telegram:42`. */
export function identityName(given: string): string {
  const name = given.includes(":") ? given : `local:${given}`;
  if (/^[a-z][a-z0-9-]{0,30}:[\w.@+-]{1,64}$/.test(name)) return name;
  throw new Fault(
    "identity.name",
    Exit.usage,
    `'${given}' is no name of an identity.`,
    "Use a plain name, or SURFACE:NAME such as token:ci or telegram:42.",
  );
}

/** Public key of a registered identity; undefined when there is none of that name. */
export const identityKey = (state: string, name: string): string | undefined =>
  knownPublicKey(folderOf(state), fileOf(name));

/** Its key pair, made when there is none. */
export const identityKeyPair = (state: string, name: string): KeyPair => loadKeyPair(folderOf(state), fileOf(name));

export function identityNames(state: string): string[] {
  const folder = folderOf(state);
  const files = existsSync(folder) ? readdirSync(folder) : [];
  return files
    .filter((file) => file.startsWith(prefix) && !/\.\d+$/.test(file))
    .map((file) => decodeURIComponent(file.slice(prefix.length)))
    .toSorted();
}

/** Answers whether there was one. */
export function removeIdentity(state: string, name: string): boolean {
  const file = path.join(folderOf(state), fileOf(name));
  if (!existsSync(file)) return false;
  rmSync(file);
  eraseKeychain(fileOf(name));
  return true;
}
