import { Fault } from "../base/fault.ts";
import type { Stop } from "../protocol/event.ts";
import { Exit } from "../protocol/exit.ts";

/** A broken store or ledger stops the turn as such; anything else unexpected is told, not hidden. */
export function failedStop(error: unknown): Stop {
  if (error instanceof Fault && error.exit === Exit.integrity)
    return { kind: "integrity", text: error.message, code: error.code };
  if (error instanceof Fault)
    return { kind: "crashed", text: [error.message, error.remedy].filter(Boolean).join(" "), code: error.code };
  throw error;
}
