// What a granted call may do with its MCP server. A server's process is started here and nowhere else: in the sandbox,
// with the folders and hosts that were judged and no others.
import { makePrivateFolder } from "../../io/places/places.ts";
import { startServer } from "../../io/mcp/process.ts";
import type { McpHand, McpLaunch, McpLine, McpPort, McpProcess } from "../../io/mcp/spec.ts";
import type { Action } from "../../protocol/action.ts";
import type { Assessment } from "../../protocol/effect.ts";
import { GrantError, refuseStopped } from "../contract/grant.ts";
import type { Facts } from "../contract/ports.ts";
import { egressGrant, unbounded } from "./egress.ts";
import { type OpenEgress, openGranted } from "./network.ts";
import type { ProcessWorld } from "./process.ts";
import { hostMatches } from "../matching/patterns.ts";
import { within } from "../command-line/context/sensitive.ts";

interface McpParts {
  world: ProcessWorld & { mcp?: McpPort };
  call: string;
  action: Action;
  assessment: Assessment;
  facts: Facts;
  signal: AbortSignal;
}

export function grantedMcp(parts: McpParts): McpHand {
  const { world, action, signal } = parts;
  refuseStopped(signal);
  if (action.kind !== "mcp") throw new GrantError("This call may not use an MCP server.");
  if (!world.mcp) throw new GrantError("No MCP server can be used from here.");
  const launch = (of: McpLaunch, log: (text: string) => void) => {
    if (action.op !== "start") throw new GrantError("This call may not start an MCP server.");
    return launched(parts, of, log);
  };
  return world.mcp.hand(action, { launch }, signal);
}

async function launched(parts: McpParts, of: McpLaunch, log: (text: string) => void): Promise<McpLine> {
  refuseStopped(parts.signal);
  refuseUnjudged(parts.assessment, of);
  if (of.url !== undefined) {
    const { webFetch } = await import("../../io/mcp/web.ts");
    return { url: of.url, fetch: webFetch(of.hosts, of.headers, of.tokens) };
  }
  return { process: await started(parts, of, log) };
}

async function started(parts: McpParts, of: McpLaunch, log: (text: string) => void): Promise<McpProcess> {
  makePrivateFolder(of.home);
  const temporary = `${of.home}/tmp`;
  makePrivateFolder(temporary);
  const egress = await networkOf(parts, of);
  const { world } = parts;
  try {
    const installs = parts.assessment.tags.includes("install") && egress !== undefined && !startedBefore(parts);
    const own = { HOME: of.home, TMPDIR: temporary, ...(installs ? {} : of.offline), ...egress?.env };
    const variables = Object.fromEntries(Object.entries(of.variables).filter(([name]) => !Object.hasOwn(own, name)));
    const { wrapped, cwd } = confined(world, { ...of, variables }, { temporary, egress });
    return startServer(
      {
        argv: wrapped.argv,
        inherit: wrapped.inherit,
        contained: wrapped.contained,
        cwd,
        env: { ...of.env, ...own },
        ...(egress && { onDoor: egress.onDoor }),
        ...(world.limits.resources && { limits: world.limits.resources }),
      },
      log,
      () => {
        wrapped.cleanup();
        egress?.close();
      },
    );
  } catch (error) {
    egress?.close();
    throw error;
  }
}

/** The workspace is what every sandbox is built around; a server that was not granted it gets its own folder in its place. */
function confined(
  world: ProcessWorld,
  of: McpLaunch,
  { temporary, egress }: { temporary: string; egress: OpenEgress | undefined },
) {
  const inside = (folder: string) => within(folder, world.workspace);
  const around = (folder: string) => within(world.workspace, folder);
  const sees = [...of.read, ...of.write].some((folder) => inside(folder) || around(folder));
  const workspace = sees && [...of.read, ...of.write].some(around) ? world.workspace : of.home;
  const writesAll = of.write.some(around);
  const rest = (folders: readonly string[]) => folders.filter((folder) => !around(folder) || workspace === of.home);
  const wrapped = world.sandbox.wrap(of.argv, {
    ...{ workspace, cwd: workspace, readOnly: workspace === world.workspace && !writesAll },
    writable: [...new Set([of.home, temporary, ...rest(of.write)])],
    readable: [...of.places, ...rest(of.read)],
    masked: world.masked().map(({ path }) => path),
    network: egress?.ports ?? false,
    gitWritable: false,
    own: world.own,
    variables: of.variables,
  });
  return { wrapped, cwd: workspace };
}

function refuseUnjudged({ effects }: Assessment, of: McpLaunch): void {
  const has = (kind: string, target: string) => effects.some((each) => each.kind === kind && each.target === target);
  const missing =
    of.hosts.find((host) => !has("network", host)) ??
    of.write.find((folder) => !has("write", folder)) ??
    of.read.find((folder) => !has("read", folder));
  if (missing !== undefined) throw new GrantError(`The start was not judged with ${missing}.`);
}

const startedBefore = ({ facts, action }: McpParts): boolean =>
  action.kind === "mcp" && facts.mcp?.(action.server)?.startedBefore === true;

/** The hosts that it was granted; while a package runner fetches it for the first time, its registry's, too. */
async function networkOf(parts: McpParts, { hosts, sockets }: McpLaunch): Promise<OpenEgress | undefined> {
  const { world, assessment, facts, call } = parts;
  if (world.sandbox.name === "none") return undefined;
  const bounds = world.network?.bounds() ?? unbounded;
  const fetched = startedBefore(parts) ? undefined : egressGrant(assessment, facts, bounds);
  const { allowed, allowlist } = bounds;
  const listed = hosts.filter((host) => !allowlist || allowlist.some((pattern) => hostMatches(host, pattern)));
  if (!allowed) return undefined;
  const all = [...new Set([...listed, ...(assessment.tags.includes("install") ? (fetched?.hosts ?? []) : [])])];
  return all.length === 0
    ? undefined
    : openGranted({ world, call }, { hosts: all, anyPublic: false, ...(sockets && { sockets }) });
}
