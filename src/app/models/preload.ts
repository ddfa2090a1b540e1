// A local server loads its model while the person still types.
import { Fault } from "../../base/fault.ts";
import { armSource } from "./arms.ts";
import type { Program } from "../program/program.ts";
import { routedBy } from "./routing/choice/words.ts";

/** Loading a large model from a slow disk takes so long; a prompt that comes before waits for the same. */
const patienceMs = 5 * 60_000;

/** A model that is chosen for each turn is not loaded before. */
export async function preload(program: Program, name: string, closing: AbortSignal): Promise<void> {
  if (routedBy(name, program.config().settings)) return;
  try {
    const { provider, model } = await armSource(program)(name);
    await provider.preload?.(model, AbortSignal.any([AbortSignal.timeout(patienceMs), closing]));
  } catch (error) {
    // Whoever asks the model is told why it cannot be.
    if (!(error instanceof Fault)) throw error;
  }
}
