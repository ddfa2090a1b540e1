// Who may sign a ledger: one key after the other, each of which the one before has handed over to.
import { existsSync } from "node:fs";
import { keysFile, lineBatches } from "../../io/journal/lines.ts";
import { type Handover, handoverOf, leadsTo } from "./handover.ts";

/** Met in the order of the chain: a key that has handed over signs nothing any more, nor does whom it names later. */
export class Signers {
  private readonly handovers: readonly Handover[];
  private readonly wanted: string | undefined;
  private present: string | undefined;

  /** `wanted`: the key that is known from elsewhere. */
  constructor(folder: string, wanted: string | undefined) {
    this.handovers = handoversIn(folder);
    this.wanted = wanted;
  }

  /** The problem, if the key has nothing to do with the one that is wanted, or may not follow that of what it signs after. */
  meet(key: string, seq: number): string | undefined {
    const { present, wanted } = this;
    if (key === present) return undefined;
    if (wanted !== undefined && !this.leads(key, wanted) && !this.leads(wanted, key))
      return `checkpoint ${seq} was signed by another key`;
    if (present !== undefined && !this.leads(present, key))
      return this.leads(key, present)
        ? `checkpoint ${seq} was signed by a key that had handed over to another before`
        : `checkpoint ${seq} was signed by another key than those before it, and no handover links the two`;
    this.present = key;
    return undefined;
  }

  /** Whether the key has handed over, itself or by others, to the one that is known from elsewhere. */
  replaced(key: string): boolean {
    return this.wanted !== undefined && key !== this.wanted && this.leads(key, this.wanted);
  }

  private leads(from: string, to: string): boolean {
    return leadsTo(from, to, this.handovers);
  }
}

/** Statements that do not hold prove nothing, and are passed by. */
export function handoversIn(folder: string): Handover[] {
  const file = keysFile(folder);
  if (!existsSync(file)) return [];
  const lines = [...lineBatches(file)].flat().map(({ bytes }) => bytes.toString("utf8"));
  return lines.map(handoverOf).filter((each) => each !== undefined);
}
