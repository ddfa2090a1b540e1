// The network of one process: opened for its command, served while it runs, recorded when it has ended.
import type { Server } from "node:net";
import { classifyHost } from "../../base/address.ts";
import { splitHost } from "../../base/host-pattern.ts";
import type { Reached } from "../../io/net/egress.ts";
import type { EgressGrant } from "../../io/net/egress-rules.ts";
import type { Assessment } from "../../protocol/effect.ts";
import type { Facts } from "../contract/ports.ts";
import { egressGrant, type EgressBounds, unbounded } from "./egress.ts";

export interface ProcessNetwork {
  /** As they are when the process starts. */
  bounds(): EgressBounds;
  /** Certificates of the person's organisation: variables for processes that use the network. */
  env: Readonly<Record<string, string>>;
  idleMs: number;
  uploadBytes: number;
  /** Told once, when the process has ended: what it reached. */
  reached(call: string, hosts: readonly Reached[]): void;
}

export interface OpenEgress {
  ports: number[];
  env: Record<string, string>;
  onDoor(port: number, door: Server): void;
  close(): Reached[];
}

/** Where nothing can be fetched, package managers say so at once: npm alone would try again for over a minute. */
const neverRetried = { npm_config_fetch_retries: "0", PIP_RETRIES: "0", CARGO_NET_RETRY: "0" };

export const networkVariables = (egress: OpenEgress | undefined, sandboxed: boolean): Record<string, string> =>
  egress?.env ?? (sandboxed ? neverRetried : {});

interface Parts {
  world: { network?: ProcessNetwork; sandbox: { name: string } };
  call: string;
  assessment: Assessment;
  facts: Facts;
}

/** What an approval says of the network that a program gets. */
export function networkText(
  assessment: Assessment,
  facts: Facts,
  bounds: EgressBounds | undefined,
): string | undefined {
  const grant = egressGrant(assessment, facts, bounds ?? unbounded);
  if (!grant) return undefined;
  const named = grant.hosts.length > 0 ? grant.hosts.join(", ") : "none";
  return grant.anyPublic
    ? `the program may reach any public host while it runs, since its hosts are not known beforehand; inside this network: ${grant.hosts.filter(isInside).join(", ") || "none"}`
    : `the program may reach these hosts while it runs, and send them anything: ${named}`;
}

const isInside = (host: string): boolean => classifyHost(splitHost(host).name) !== "public";

/** Undefined: the process gets no network, or, without a sandbox, nobody could keep it from having the whole one. */
export async function openEgress({ world, call, assessment, facts }: Parts): Promise<OpenEgress | undefined> {
  if (world.sandbox.name === "none") return undefined;
  const { network } = world;
  const grant = egressGrant(assessment, facts, network?.bounds() ?? unbounded);
  return grant && openGranted({ world, call }, grant);
}

/** Needs a sandbox. */
export async function openGranted(
  { world, call }: Pick<Parts, "world" | "call">,
  grant: EgressGrant,
): Promise<OpenEgress> {
  const { network } = world;
  const { Egress, proxyPort } = await import("../../io/net/egress.ts");
  const { proxyEnvironment } = await import("../../io/sandbox/network.ts");
  let told = false;
  const egress = new Egress({ ...grant, ...(network && { idleMs: network.idleMs, uploadBytes: network.uploadBytes }) });
  const shared = world.sandbox.name === "sandbox-exec" ? await egress.listen() : undefined;
  return {
    ports: shared === undefined ? egress.ports : [shared, ...egress.ports.slice(1)],
    env: { ...network?.env, ...proxyEnvironment(shared ?? proxyPort) },
    onDoor: (port, door) => egress.attach(port, door),
    close() {
      egress.close();
      const hosts = egress.report();
      if (hosts.length > 0 && !told) network?.reached(call, hosts);
      told = true;
      return hosts;
    },
  };
}
