// What is known of an act's use of the network before it runs.
import { readWebAddress } from "../../base/web-address.ts";
import type { Assessment } from "../../protocol/effect.ts";
import { hostMatches } from "./patterns.ts";
import { baseName } from "./words.ts";

type Judged = Pick<Assessment, "effects" | "tags">;

const networkTags = ["network", "push", "publish", "install"];

/** Git subcommands that talk, or may talk, to the repository's remotes. */
export const remoteCommands: ReadonlySet<string> = new Set(
  "fetch pull push ls-remote submodule remote lfs subtree maintenance request-pull".split(" "),
);

/** Whether it was judged to use the network, its hosts known or not. */
export const usesNetwork = ({ effects, tags }: Judged): boolean =>
  networkTags.some((tag) => tags.includes(tag)) || effects.some(({ kind }) => kind === "network");

/** A subagent is no program: each of its own acts is judged by itself. */
export const runsProgram = ({ effects, tags }: Judged): boolean =>
  tags.includes("process") || effects.some(({ kind }) => kind === "execute");

/** A host that can be reached as it stands, not the words that stand for one that is not known. */
export const isHost = (target: string): boolean => {
  const read = readWebAddress(`http://${target}/`);
  if ("problem" in read || read.credentials || /[/?#\s]/.test(target)) return false;
  return read.kind === "public" || read.kind === "loopback" || /[.:]/.test(target);
};

/** What known programs do to this machine alone. Any other tag may stand for code that nobody has read. */
const localTags = new Set([
  ...[
    "process",
    "outside",
    "overwrite",
    "delete",
    "move",
    "commit",
    "git-write",
    "git-alone",
    "sensitive-read",
    "sensitive-write",
  ],
  ...[
    "reads-sensitive-mask",
    "unknown-writes",
    "destroy",
    "checkpointable",
    "background",
    "signal",
    "hard-link",
    "control",
  ],
]);
/** They look at a cluster or at what is kept elsewhere, which changes nothing and so is no risk. */
const remoteLooks = new Set(["kubectl", "oc", "helm", "terraform", "tofu"]);

/** Whether nothing that it runs can use the network, but for what it was judged to use. */
const offlineOtherwise = ({ effects, tags }: Judged, used: readonly string[]): boolean =>
  tags.every((tag) => localTags.has(tag) || used.includes(tag)) &&
  effects.every(({ kind, target }) => kind !== "execute" || !remoteLooks.has(baseName(target)));

export const knownOffline = (assessment: Judged): boolean =>
  !runsProgram(assessment) || (!usesNetwork(assessment) && offlineOtherwise(assessment, []));

/** The first host that the list does not hold. */
export const unlistedHost = ({ effects }: Judged, list: readonly string[]): string | undefined =>
  effects.find((effect) => effect.kind === "network" && isHost(effect.target) && !listed(effect.target, list))?.target;

const listed = (target: string, list: readonly string[]): boolean =>
  list.some((pattern) => hostMatches(target, pattern));

/** Whether it names every host that it can reach, and the list holds them all. */
export function surelyListed(assessment: Judged, list: readonly string[]): boolean {
  const { effects, tags } = assessment;
  const named = effects.filter(({ kind }) => kind === "network");
  if (!named.every(({ target }) => listed(target, list))) return false;
  const nameless = effects.some(
    ({ kind, target, part }) =>
      kind === "vcs" && remoteCommands.has(target) && !named.some((each) => each.part === part),
  );
  const remote = tags.includes("network") || tags.includes("push");
  if (remote && (named.length === 0 || nameless)) return false;
  return !runsProgram(assessment) || offlineOtherwise(assessment, ["network", "push", "private-address"]);
}
