// What a grant has changed, so that a change of several files that fails half-way can be taken back whole.
import { readBytes, removeFile, writeAtomic } from "../../io/files/bytes.ts";
import { FileProblem } from "../../io/files/problem.ts";

export class Undo {
  readonly #steps: { real: string; back: () => Promise<void> }[] = [];

  add(real: string, back: () => Promise<void>): void {
    this.#steps.push({ real, back });
  }

  /** Remembers a file as it is before `work` replaces or removes it. */
  async around(real: string, root: string, work: () => Promise<void>): Promise<void> {
    const before = await bytesOf(real);
    await work();
    this.add(real, () => (before === undefined ? removeFile(real, { root }) : writeAtomic(real, before, { root })));
  }

  /** Latest first. Answers what could not be put back, each with its reason. */
  async run(): Promise<string[]> {
    const kept: string[] = [];
    for (const { real, back } of this.#steps.splice(0).reverse()) {
      try {
        await back();
      } catch (error) {
        kept.push(error instanceof FileProblem ? error.message : `${real}: ${String(error)}`);
      }
    }
    return kept;
  }
}

async function bytesOf(real: string): Promise<Uint8Array | undefined> {
  try {
    return (await readBytes(real)).bytes;
  } catch (error) {
    if (error instanceof FileProblem && error.code === "missing") return undefined;
    throw error;
  }
}
