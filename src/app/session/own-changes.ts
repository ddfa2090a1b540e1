// The record of what a session's own tools and commands changed, opened when the first of them does.
import path from "node:path";
import type { SnapshotSource } from "../../engine/checkpoint.ts";
import type { Session } from "../../engine/session/session.ts";
import { currentTurn } from "../../engine/session/state.ts";
import type { OwnChanges } from "../../io/changes/own-changes.ts";
import { firewallKey } from "../program/keys.ts";
import type { Program } from "../program/program.ts";

export interface OwnChangesSource {
  (): Promise<OwnChanges>;
  /** Undefined until something was recorded in this process. */
  opened?: OwnChanges;
}

/** `held`: this process works on the session, so what a killed one had begun is recorded for good. */
export function ownChangesSource(
  program: Program,
  session: Session,
  { snapshots, held }: { snapshots: SnapshotSource; held: boolean },
): OwnChangesSource {
  const { workspace, places, project } = program;
  let opened: Promise<OwnChanges> | undefined;
  const open = async () => {
    const { OwnChanges } = await import("../../io/changes/own-changes.ts");
    const changes = new OwnChanges({
      folder: path.join(project.changes, session.id),
      workspace,
      key: () => firewallKey(places),
      turn: () => currentTurn(session.state)?.turn ?? 0,
    });
    const trees = async () => {
      const found = await snapshots();
      return "unavailable" in found ? undefined : found;
    };
    await changes.settleCutOff(trees, held);
    return changes;
  };
  const source: OwnChangesSource = async () => {
    source.opened = await (opened ??= open());
    return source.opened;
  };
  return source;
}
