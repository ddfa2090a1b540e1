// Keeps secrets out of the state folder: of shapes that are known, and those that a session has read in files kept for them.
import { createFirewall, type Known } from "../../guard/firewall/firewall.ts";
import { storable } from "../../guard/firewall/storable.ts";
import { firewallKey } from "./keys.ts";
import type { Program } from "./program.ts";

const sources = new WeakMap<Program["storing"], Set<Known>>();

/** From now on. What `known` finds counts for whatever the program writes, whichever of its sessions does. */
export function keepSecretsOut({ storing, places }: Pick<Program, "storing" | "places">, known?: Known): void {
  const all = sources.get(storing) ?? new Set<Known>();
  sources.set(storing, all);
  if (known) all.add(known);
  if (storing.clean) return;
  const firewall = createFirewall(firewallKey(places), { in: (text) => [...all].flatMap((each) => each.in(text)) });
  storing.clean = (value) => storable(value, firewall.redact);
}
