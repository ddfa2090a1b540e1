// Who may sign a ledger: one key, and those that it took over from or handed over to.
import { existsSync } from "node:fs";
import { keysFile, lineBatches } from "../../io/journal/lines.ts";
import { type Handover, handoverOf, linked } from "./handover.ts";

export class Signers {
  private readonly handovers: readonly Handover[];
  private readonly wanted: string | undefined;
  private first: string | undefined;

  /** `wanted`: the key that is known from elsewhere. */
  constructor(folder: string, wanted: string | undefined) {
    this.handovers = handoversIn(folder);
    this.wanted = wanted;
  }

  /** The problem, if the key has nothing to do with the one that is wanted, or with that of the first checkpoint. */
  meet(key: string, seq: number): string | undefined {
    const reference = this.wanted ?? (this.first ??= key);
    if (linked(reference, key, this.handovers)) return undefined;
    return this.wanted === undefined
      ? `checkpoint ${seq} was signed by another key than those before it, and no handover links the two`
      : `checkpoint ${seq} was signed by another key`;
  }
}

/** Statements that do not hold prove nothing, and are passed by. */
export function handoversIn(folder: string): Handover[] {
  const file = keysFile(folder);
  if (!existsSync(file)) return [];
  const lines = [...lineBatches(file)].flat().map(({ bytes }) => bytes.toString("utf8"));
  return lines.map(handoverOf).filter((each) => each !== undefined);
}
