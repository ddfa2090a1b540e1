// Which files a session has read or written itself, for whoever wants them read before they are changed.
import { existsSync } from "node:fs";
import type { Fact } from "../../protocol/event.ts";

export class ReadFiles {
  readonly #known = new Set<string>();
  /** What a call would read or write, until it has ended. */
  readonly #begun = new Map<string, readonly string[]>();

  note(fact: Fact): void {
    if (fact.type === "call.decided" && fact.decision.verdict !== "deny") {
      const { action, assessment } = fact;
      if (action?.kind === "search") return;
      const files = (assessment?.effects ?? []).filter(({ kind }) => kind === "read" || kind === "write");
      this.#begun.set(
        fact.call,
        files.map(({ target }) => target),
      );
    } else if (fact.type === "call.ended") {
      if (fact.result.status === "done") for (const file of this.#begun.get(fact.call) ?? []) this.#known.add(file);
      this.#begun.delete(fact.call);
    }
  }

  unread(file: string): boolean {
    return !this.#known.has(file) && existsSync(file);
  }
}
