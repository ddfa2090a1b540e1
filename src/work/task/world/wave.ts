// What the wave gives to a task that is one of its plans: one rehearsal for all, one signature, and its turn to work.
import type { Envelope, Signature, TaskPatch, TaskRecord, TaskStateName } from "../../../protocol/task.ts";

export type WaveAnswer =
  | { kind: "approved"; signature: Signature }
  | { kind: "rejected"; why: string }
  /** Nobody is there; how to answer. */
  | { kind: "nobody"; how: string };

/** Where the rehearsal leads, for every plan of the wave. */
type Rehearsed = { to: TaskStateName; patch?: TaskPatch; detail: string } | { pause: string };

export interface WavePort {
  /** The first plan that comes rehearses for all of them. */
  rehearsed(commit: string, rehearse: () => Promise<Rehearsed>): Promise<Rehearsed>;
  /** Resolves when all plans of the wave are drawn up and somebody has answered, and it is this one's turn to work. */
  sign(drawn: { task: TaskRecord; envelope: Envelope; lines: string[] }, signal: AbortSignal): Promise<WaveAnswer>;
}
