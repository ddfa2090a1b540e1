// One act at the remote, by the gate. What it brings back is for fettle; what the record holds is whether it was done.
import { failure, textResult } from "../../../protocol/outcome.ts";
import { ForgeFailure, type ForgeHand } from "../../../io/forge/spec.ts";
import { NetFailure } from "../../../io/net/failure.ts";
import { textOf } from "../world/commands.ts";
import { Stopped } from "../work/work.ts";
import type { WorkFolder } from "../world/world.ts";
import type { ForgeAct } from "../work/forge-acts.ts";

interface Passing<T> {
  signal: AbortSignal;
  run: (hand: ForgeHand) => Promise<T>;
  origin?: "fettle" | "project";
}

let counter = 0;

/** `waits`: nobody was there to allow it. */
export interface NotPassed {
  why: string;
  waits?: true;
}

/** `why` not, in a sentence, when it was refused or failed. Throws Stopped when the task was stopped meanwhile. */
export async function pass<T>(
  place: Pick<WorkFolder, "gate">,
  action: ForgeAct,
  { signal, run, origin = "fettle" }: Passing<T>,
): Promise<{ done: T } | NotPassed> {
  counter += 1;
  const call = {
    id: `forge-${Date.now().toString(36)}-${counter}`,
    tool: "forge",
    action,
    origin,
  };
  let got: { done: T } | undefined;
  const gate = await place.gate();
  const result = await gate.pass(
    call,
    async (grant) => {
      try {
        got = { done: await run(await grant.forge()) };
        return textResult("Done.");
      } catch (error) {
        if (error instanceof ForgeFailure || error instanceof NetFailure) return failure("forge.failed", error.message);
        throw error;
      }
    },
    signal,
  );
  // Nothing is concluded from what was cut off.
  if (signal.aborted) throw new Stopped();
  const waits = result.code === "approval.unanswered" || result.status === "expired";
  return got ?? { why: textOf(result).replace(/\.$/, ""), ...(waits && { waits }) };
}
