// The tree that a turn leaves behind, and its diff where a person will look at it.
import type { Diff } from "../protocol/result.ts";
import type { AgentParts } from "./agent-parts.ts";
import type { Checkpoints } from "./checkpoint.ts";

/** Below this autonomy a turn ends with its whole diff, to keep or discard. */
const reviewedBelow = 4;

/** Undefined without a checkpoint, and when it cannot be made, which the person is told. */
export async function closeTurn(
  { session, changedTainted }: Pick<AgentParts, "session" | "changedTainted">,
  checkpoints: Checkpoints,
  turn: number,
): Promise<{ tree: string; diff?: Diff } | undefined> {
  const reviewed = session.state.autonomy < reviewedBelow;
  const hands = changedTainted !== undefined && session.state.taintedBy.length > 0;
  try {
    const closed = await checkpoints.close(turn, reviewed || hands);
    if (hands && closed?.whole) changedTainted(closed.whole.files.map(({ path }) => path));
    return closed && { tree: closed.tree, ...(reviewed && closed.diff && { diff: closed.diff }) };
  } catch (error) {
    const text = `The turn's diff could not be made: ${error instanceof Error ? error.message : String(error)}.`;
    session.append({ type: "notice.given", code: "checkpoint.failed", level: "warning", text });
    return undefined;
  }
}
