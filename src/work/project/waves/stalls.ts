// Tells of plans of a wave that show nothing for long (executor.stall_detect_interval_minutes, stall_threshold_minutes).
import { counted } from "../../../base/counted.ts";
import type { ReadSettings } from "../facts/settings.ts";
import type { ProjectWork } from "../work/work.ts";

const minute = 60_000;

/** Each stillness is told once; whatever a plan shows begins its time anew. A minute of 0 switches it off. */
export class StallWatch {
  readonly #work: Pick<ProjectWork, "tell" | "world">;
  readonly #afterMs: number;
  /** By the id of a plan that works now: when it has shown something last, and whether its stillness was told. */
  readonly #working = new Map<string, { at: number; told: boolean }>();
  readonly #timer: NodeJS.Timeout | undefined;

  constructor(work: Pick<ProjectWork, "tell" | "world">, settings: ReadSettings) {
    const every = settings["executor.stall_detect_interval_minutes"] * minute;
    this.#work = work;
    this.#afterMs = settings["executor.stall_threshold_minutes"] * minute;
    // A timer of more than 24 days would fire at once.
    if (every > 0 && this.#afterMs > 0)
      this.#timer = setInterval(() => this.#look(), Math.min(every, 2 ** 31 - 1)).unref();
  }

  /** It begins to work, which it does not while somebody is awaited who signs. */
  begins(id: string): void {
    this.#working.set(id, { at: this.#work.world.clock(), told: false });
  }

  shows(id: string): void {
    if (this.#working.has(id)) this.begins(id);
  }

  ended(id: string): void {
    this.#working.delete(id);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const now = this.#work.world.clock();
    for (const [id, seen] of this.#working) {
      if (seen.told || now - seen.at < this.#afterMs) continue;
      seen.told = true;
      const still = counted(Math.floor((now - seen.at) / minute), "minute");
      this.#work.tell(
        `Plan ${id} has shown nothing for ${still}, and still works. Ctrl-C stops the run; what is done stays.`,
        false,
      );
    }
  }
}
