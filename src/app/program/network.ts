// The settings of `[network]` in the units and shapes that fence and client take.
import { isNamedInside, parsePattern, splitHost } from "../../base/host-pattern.ts";
import type { EgressBounds } from "../../guard/fence/egress.ts";
import type { Policy } from "../../guard/contract/ports.ts";
import type { Settings } from "../../io/config/settings.ts";
import type { Reached } from "../../io/net/egress.ts";
import type { Json } from "../../protocol/message.ts";
import type { EnvelopeTerms } from "../../protocol/task.ts";

export const egressBounds = ({ network }: Settings, policy: Policy, task?: EnvelopeTerms): EgressBounds => ({
  always: network.process_hosts,
  allowlist: policy.networkAllowlist,
  allowed: policy.allowNetwork,
  ...(task && { task }),
});

export const networkLimits = ({ network }: Settings) => ({
  idleMs: network.idle_secs * 1000,
  uploadBytes: network.upload_mb * 1024 * 1024,
});

export const fetchLimits = ({ network }: Settings) => ({
  timeoutMs: network.fetch_timeout_secs * 1000,
  maxBytes: network.fetch_max_kb * 1024,
});

/** Whether one of the granted hosts is this very address inside, port and all. */
export function namesInside(hosts: readonly string[], target: string): boolean {
  const asked = splitHost(target);
  return hosts
    .map(parsePattern)
    .some((pattern) => ["80", "443"].some((ownPort) => isNamedInside(pattern, { ...asked, ownPort })));
}

export const reachedNote = ({ host, connections, sent, received, refused }: Reached): { [key: string]: Json } => ({
  ...{ host, connections, sent, received },
  ...(refused !== undefined && { refused }),
});
