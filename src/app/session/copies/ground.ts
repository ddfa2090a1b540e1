// The ground of a session in a copy of its workspace: the same people, terms, ledger and money, and nothing of the
// person's own files within reach of a write.
import path from "node:path";
import { createFirewall } from "../../../guard/firewall/firewall.ts";
import type { Facts, TaintedFiles } from "../../../guard/contract/ports.ts";
import { meantPath } from "../../../guard/stands-for.ts";
import type { SnapshotSource } from "../../../engine/checkpoint.ts";
import { createFacts } from "../../../io/facts.ts";
import { Jobs } from "../../../io/process/jobs.ts";
import { lookForPlanted } from "../../../io/sandbox/planted.ts";
import type { Ground } from "../ground.ts";
import { firewallKey } from "../../program/keys.ts";
import { knownSecrets } from "../known-secrets.ts";
import { withoutLayers } from "../layered.ts";
import { sensitiveFiles } from "../masks.ts";
import type { Program } from "../../program/program.ts";
import type { Road, RoadParts } from "../road.ts";
import { keepSecretsOut } from "../../program/stored-secrets.ts";

export interface Beside {
  /** The program as it is in the copy: its workspace is the copy's folder. */
  program: Program;
  /** Private to the copy. */
  temporary: string;
  /** Seen read-only by its commands. */
  lent: readonly { from: string; to: string }[];
  snapshots: SnapshotSource;
}

export function groundBeside(ground: Ground, { program, temporary, lent, snapshots }: Beside): Ground {
  const { parts, more } = ground.made;
  const facts = factsBeside(parts, program.workspace, temporary);
  const inside = sensitiveFiles(facts);
  const masked = () => [...inside.all(), ...parts.masked()];
  const known = knownSecrets(() => [...inside.near(), ...parts.masked()], facts);
  keepSecretsOut(program, known);
  const jobs = new Jobs();
  const planted = lookForPlanted({ workspace: program.workspace, writable: [temporary] }, (files) =>
    parts.noteBeside("git.planted", { session: parts.session.id, files }),
  );
  // A copy holds nothing of the person's, and what was made of it takes the gate as one change.
  const layered = withoutLayers(program);
  const { room: _room, agents: _agents, changes: _changes, ...rest } = parts;
  const inner: RoadParts = {
    ...rest,
    ...{ program, temporary, facts, masked, jobs, planted, snapshots, lent, layered },
    firewall: createFirewall(firewallKey(program.places), known, more.own),
    files: filesBeside(parts.files, facts),
  };
  let opening: Promise<Road> | undefined;
  const road = (): Promise<Road> => {
    opening ??= more.road
      ? Promise.resolve(more.road(inner))
      : import("../road.ts").then(({ openRoad }) => openRoad(inner));
    return opening;
  };
  const { firewall, files } = inner;
  return {
    ...ground,
    ...{ road, hooks: undefined, firewall, jobs, room: undefined, snapshots, planted, layered, files },
    made: { parts: inner, more },
  };
}

/** What was changed in the workspace since the session began is no more trusted in a copy of it. */
function factsBeside({ facts: outer, program }: RoadParts, workspace: string, temporary: string): Facts {
  const { home, own } = outer;
  const inner = createFacts({ workspace, home, temporary, own: [...own], privateTmp: outer.privateTmp === true });
  const earlier = () => outer.changedDefinitions?.() ?? [];
  const union = (names: readonly string[]) => [...new Set([...names, ...earlier()])];
  const { readingAgent, namedHost, forgeHost, ownNetwork } = outer;
  return {
    ...inner,
    standsFor: program.workspace,
    declaredCheck(command, cwd) {
      const found = inner.declaredCheck(command, cwd);
      return found && { ...found, changed: union(found.changed) };
    },
    changedDefinitions: () => union(inner.changedDefinitions?.() ?? []),
    ...(ownNetwork === true && { ownNetwork }),
    ...(readingAgent && { readingAgent }),
    ...(namedHost && { namedHost }),
    ...(forgeHost && { forgeHost }),
  };
}

/** A copy of a file that taints does so, too; what is written in a copy is known by its content wherever that goes. */
const filesBeside = (files: TaintedFiles, facts: Facts): TaintedFiles => ({
  ...files,
  among: (paths, text) =>
    files.among([...paths, ...paths.map((each) => meantPath(path.resolve(facts.workspace, each), facts))], text),
});
