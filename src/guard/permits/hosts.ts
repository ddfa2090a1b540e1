import { hostMatches } from "../matching/patterns.ts";
import type { Permit } from "./permit.ts";

/** Hosts that a person granted, for fettle's own client only: a host that a process reaches counts as an upload. */
export const grantedHosts: Permit = {
  name: "network.hosts",
  covers({ effects, tags, risk }, { hosts }) {
    if (risk === "L3" || effects.length === 0 || hosts.length === 0) return undefined;
    if (!tags.every((tag) => tag === "network")) return undefined;
    const all = effects.every(
      ({ kind, target, part }) =>
        kind === "network" && hosts.some((pattern) => hostMatches(target, pattern, false, part)),
    );
    return all ? { rule: "network.hosts", text: "The host is granted (network.hosts).", tell: true } : undefined;
  },
};
