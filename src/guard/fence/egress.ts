// Which hosts a process gets: those that its command names, or that its programs are known to use; nothing else.
import { type HostPattern, parsePattern } from "../../base/host-pattern.ts";
import { readWebAddress } from "../../base/web-address.ts";
import type { EgressGrant } from "../../io/net/egress-rules.ts";
import type { Assessment, Effect } from "../../protocol/effect.ts";
import { isHost, remoteCommands, usesNetwork } from "../matching/network-use.ts";
import { hostMatches } from "../matching/patterns.ts";
import { baseName, wordsOf } from "../matching/words.ts";
import type { EnvelopeTerms } from "../../protocol/task.ts";
import { plannedHosts } from "../assess/planned.ts";
import type { Facts } from "../contract/ports.ts";
import { type Registry, registryOf } from "../programs/packages/registries.ts";

export interface EgressBounds {
  /** Hosts that a person grants to every process that gets a network. */
  always: readonly string[];
  /** What policy allows at most; undefined: any host. */
  allowlist: readonly string[] | undefined;
  allowed: boolean;
  /** The plan in force: its commands reach its hosts, whatever else they would. */
  task?: EnvelopeTerms;
}

export const unbounded: EgressBounds = { always: [], allowlist: undefined, allowed: true };

/** Undefined: the process gets no network. */
export function egressGrant(
  assessment: Pick<Assessment, "effects" | "tags" | "command">,
  facts: Pick<Facts, "workspace" | "text">,
  { always, allowlist, allowed, task }: EgressBounds,
): EgressGrant | undefined {
  const planned = task && plannedHosts(task, assessment.command);
  if (!allowed || planned?.length === 0) return undefined;
  if (planned) return { hosts: planned.filter((host) => isListed(host, allowlist)), anyPublic: false };
  const wanted = wantedHosts(assessment, facts);
  if (!wanted) return undefined;
  // A method or a path narrows fettle's own requests; no proxy can hold a process to them.
  const whole = (patterns: readonly string[]) => patterns.filter((pattern) => isWholeHost(parsePattern(pattern)));
  const hosts = [...new Set([...wanted.hosts, ...whole(always)])];
  if (!allowlist) return { hosts, anyPublic: wanted.anyPublic };
  const listed = hosts.filter((host) => isListed(host, allowlist));
  return { hosts: wanted.anyPublic ? [...new Set([...listed, ...whole(allowlist)])] : listed, anyPublic: false };
}

const isListed = (host: string, allowlist: readonly string[] | undefined): boolean =>
  !allowlist || allowlist.some((pattern) => hostMatches(host, pattern));

const isWholeHost = ({ method, path }: HostPattern): boolean => method === undefined && path === undefined;

function wantedHosts(
  assessment: Pick<Assessment, "effects" | "tags">,
  facts: Pick<Facts, "workspace" | "text">,
): EgressGrant | undefined {
  if (!usesNetwork(assessment)) return undefined;
  const { effects } = assessment;
  const named = effects.filter(({ kind }) => kind === "network");
  const hosts = new Set<string>();
  let unknown = false;
  const explained = new Set<string>();
  for (const effect of effects) {
    const found = effect.kind === "execute" ? registryHosts(effect, facts) : remoteHosts(effect, facts);
    if (!found) continue;
    explained.add(effect.part ?? "");
    for (const host of found) hosts.add(host);
  }
  for (const { target, part } of named) {
    if (isHost(target)) hosts.add(target);
    else if (!explained.has(part ?? "")) unknown = true;
  }
  return { hosts: [...hosts], anyPublic: unknown || hosts.size === 0 };
}

function registryHosts({ target, part }: Effect, facts: Pick<Facts, "workspace" | "text">): string[] | undefined {
  const registry = registryOf(baseName(target));
  if (!registry) return undefined;
  const words = (part === undefined ? undefined : wordsOf(part)) ?? [];
  return [...registry.hosts, ...chosen(words, registry), ...configured(registry, facts), ...addressed(words)];
}

function chosen(words: readonly (string | undefined)[], { options }: Registry): string[] {
  if (!options) return [];
  return words.flatMap((word, at) => {
    const [option = "", value] = (word ?? "").split(/=(.*)/s, 2);
    return options.test(option) ? hostIn(value ?? words[at + 1] ?? "", true) : [];
  });
}

const configured = ({ files = [] }: Registry, facts: Pick<Facts, "workspace" | "text">): string[] =>
  files.flatMap(([name, line]) =>
    Array.from((facts.text(`${facts.workspace}/${name}`) ?? "").matchAll(line)).flatMap(([, url = ""]) =>
      hostIn(url, false),
    ),
  );

/** `npm install https://host/x.tgz`: an address that stands in the command itself. */
const addressed = (words: readonly (string | undefined)[]): string[] =>
  words.flatMap((word) => (word !== undefined && /^(git\+)?https?:\/\//.test(word) ? hostIn(word, true) : []));

function remoteHosts({ kind, target }: Effect, facts: Pick<Facts, "workspace" | "text">): string[] | undefined {
  if (kind !== "vcs" || !remoteCommands.has(target)) return undefined;
  const text = facts.text(`${facts.workspace}/.git/config`) ?? "";
  const found = Array.from(text.matchAll(/^\s*(?:push)?url\s*=\s*"?([^\s"]+)/gm)).flatMap(([, url = ""]) =>
    hostIn(url, false),
  );
  return found.length > 0 ? found : undefined;
}

/** What a file of the workspace names is granted when it is public; an address inside must stand in the command. */
function hostIn(url: string, inCommand: boolean): string[] {
  const read = readWebAddress(url.replace(/^git\+/, ""));
  if ("problem" in read) return [];
  return read.kind === "public" || (inCommand && read.kind !== "metadata") ? [read.target] : [];
}
