import { fingerprintOf, knownPublicKey } from "../../../io/journal/key.ts";
import type { IdentityRow } from "../../../protocol/query.ts";
import { identityOf, registeredNames, votersOf } from "../../program/identities.ts";
import { personName } from "../../program/machine.ts";
import type { Program } from "../../program/program.ts";

/** The local person first; then everybody who has a key here or stands in the configuration. */
export async function identities(program: Program): Promise<IdentityRow[]> {
  const own = personName();
  const registered = registeredNames(program);
  const configured = Object.keys(program.config().settings.identities);
  const names = new Set([own, ...[...registered, ...configured].toSorted()]);
  const voters = votersOf(program);
  return [...names].map((name) => {
    const key = name === own ? knownPublicKey(program.places.state) : voters(name)?.publicKey;
    return {
      ...identityOf(program, name),
      fingerprint: key === undefined ? "" : (fingerprintOf(key) ?? ""),
      here: name === own || registered.includes(name),
      local: name === own,
    };
  });
}
