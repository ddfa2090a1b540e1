// Who is who here: the local person, and whatever identities the person has registered.
import { Fault } from "../../base/fault.ts";
import type { Voter, Voters } from "../../guard/answers.ts";
import { identityKey, identityKeyPair, identityName, identityNames, removeIdentity } from "../../io/identities.ts";
import { type KeyPair, knownPublicKey, loadKeyPair } from "../../io/journal/key.ts";
import { Exit } from "../../protocol/exit.ts";
import type { Identity } from "../../protocol/identity.ts";
import { personName } from "./machine.ts";
import type { Program } from "./program.ts";

type Where = Pick<Program, "places" | "config">;

/** What an identity may do: the configuration says, else the local person everything and anybody else nothing much. */
export function identityOf({ config }: Pick<Program, "config">, name: string): Identity {
  const settings = config().settings.identities;
  const said = Object.hasOwn(settings, name) ? settings[name] : undefined;
  const own = name === personName();
  const surface = name.startsWith("local:") ? "local" : name.startsWith("token:") ? "token" : "channel";
  return {
    name,
    surface,
    role: said?.role ?? (own ? "privileged" : "read-only"),
    approver: said?.approver ?? (own ? "admin" : "developer"),
  };
}

export const localIdentity = (program: Pick<Program, "config">): Identity => identityOf(program, personName());

/** Looked up anew each time: identities come and go while a run waits. */
export const votersOf =
  (program: Where): Voters =>
  (name): Voter | undefined => {
    const { state } = program.places;
    const publicKey = name === personName() ? knownPublicKey(state) : identityKey(state, name);
    return publicKey === undefined ? undefined : { identity: identityOf(program, name), publicKey };
  };

/** The key that signs for an identity. Throws a Fault for one that is not registered here. */
export function signerOf({ places }: Pick<Program, "places">, name: string): KeyPair {
  if (name === personName()) return loadKeyPair(places.state);
  if (identityKey(places.state, name) !== undefined) return identityKeyPair(places.state, name);
  throw new Fault(
    "identity.unknown",
    Exit.usage,
    `There is no identity ${name} here.`,
    `Make one: fettle identity add ${name.replace(/^local:/, "")}`,
  );
}

export const givenIdentity = (given: string | undefined): string =>
  given === undefined ? personName() : identityName(given);

export const registeredNames = ({ places }: Pick<Program, "places">): string[] => identityNames(places.state);

export async function addIdentity(
  program: Program,
  given: { name: string; role?: Identity["role"] | undefined; approver?: Identity["approver"] | undefined },
): Promise<void> {
  const name = identityName(given.name);
  if (name === personName() || identityKey(program.places.state, name) !== undefined) {
    throw new Fault(
      "identity.known",
      Exit.usage,
      `There is an identity ${name} already.`,
      `Say what it may do with fettle config set 'identities."${name}".approver' senior, or remove it first.`,
    );
  }
  identityKeyPair(program.places.state, name);
  const { setConfigValue } = await import("./settings.ts");
  for (const key of ["role", "approver"] as const) {
    const value = given[key];
    if (value !== undefined)
      await setConfigValue(program, "user", { key: `identities.${JSON.stringify(name)}.${key}`, value: value });
  }
}

export function dropIdentity({ places }: Program, given: string): void {
  const name = identityName(given);
  if (removeIdentity(places.state, name)) return;
  throw new Fault(
    "identity.unknown",
    Exit.usage,
    `There is no identity ${name} here.`,
    "List them: fettle identity list",
  );
}
