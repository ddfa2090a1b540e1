// One act at the remote, by the gate. What it brings back is for fettle; what the record holds is whether it was done.
import { failure, textResult } from "../../../protocol/outcome.ts";
import { ForgeFailure, type ForgeHand } from "../../../io/forge/spec.ts";
import { NetFailure } from "../../../io/net/failure.ts";
import { textOf } from "../world/commands.ts";
import { Stopped } from "../work/work.ts";
import type { WorkFolder } from "../world/world.ts";
import type { ForgeAct } from "../work/forge-acts.ts";

let counter = 0;

/** `why` not, in a sentence, when it was refused or failed. Throws Stopped when the task was stopped meanwhile. */
export async function pass<T>(
  place: WorkFolder,
  action: ForgeAct,
  { signal, run }: { signal: AbortSignal; run: (hand: ForgeHand) => Promise<T> },
): Promise<{ done: T } | { why: string }> {
  counter += 1;
  const call = {
    id: `forge-${Date.now().toString(36)}-${counter}`,
    tool: "forge",
    action,
    origin: "fettle" as const,
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
  return got ?? { why: textOf(result).replace(/\.$/, "") };
}
