// The user's own keys, made when first needed: 0600 files in the state folder that no grant can read.
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { Fault } from "../../base/fault.ts";
import { Exit } from "../../protocol/exit.ts";
import { readRegularBytes } from "../../io/files/regular.ts";
import { makePrivateFolder, type Places } from "../../io/places/places.ts";

/** 32 bytes that make the marks of the secrets firewall: stable for a user, unguessable for a provider. */
export function firewallKey(places: Places): Uint8Array {
  const file = path.join(places.state, "firewall-key");
  const known = read(file);
  if (known?.length === 32) return known;
  makePrivateFolder(places.state);
  const made = randomBytes(32);
  try {
    writeFileSync(file, made, { mode: 0o600, flag: known ? "w" : "wx" });
    return made;
  } catch (error) {
    // Another process made it in between: both must make the same marks.
    const theirs = read(file);
    if (theirs?.length === 32) return theirs;
    throw error;
  }
}

function read(file: string): Uint8Array | undefined {
  try {
    return readRegularBytes(file);
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    if (error.code === "ENOENT") return undefined;
    throw new Fault(
      "firewall.key",
      Exit.integrity,
      `The key in ${file}, by which secrets are marked, cannot be read (${error.message}).`,
      `Put back a copy, or move it aside so that a new one is made: mv '${file}' '${file}.broken'`,
    );
  }
}
