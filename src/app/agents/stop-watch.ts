// Looks whether somebody in another process has asked for a subagent's end, while any is at work.
import type { Store } from "../../io/store/store.ts";

const lookMs = 200;

export class StopWatch {
  readonly #store: Pick<Store, "stopAskedBy">;
  readonly #watched = new Map<string, (by: string) => void>();
  #timer: NodeJS.Timeout | undefined;

  constructor(store: Pick<Store, "stopAskedBy">) {
    this.#store = store;
  }

  /** `asked` is called once, with who asked. The function that comes back ends the watch. */
  watch(session: string, asked: (by: string) => void): () => void {
    this.#watched.set(session, asked);
    this.#timer ??= setInterval(() => this.#look(), lookMs).unref();
    return () => this.#forget(session);
  }

  #look(): void {
    for (const [session, asked] of this.#watched) {
      const by = this.#store.stopAskedBy(session);
      if (by === undefined) continue;
      this.#forget(session);
      asked(by);
    }
  }

  #forget(session: string): void {
    this.#watched.delete(session);
    if (this.#watched.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
