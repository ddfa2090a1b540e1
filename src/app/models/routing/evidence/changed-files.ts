// Which facts of a session say that its files may be others since, for whoever asks what a test run was a run of.
import type { FactOf, StoredFact } from "../../../../protocol/event.ts";
import { runsTests } from "./test-commands.ts";

/** `paths`: as they were assessed; absent where nobody says which, as of a subagent. */
export interface Change {
  paths?: readonly string[];
}

export class ChangedFiles {
  readonly #calls = new Map<string, readonly string[]>();
  /** Calls that start or tell a subagent which can do more than read, in this folder. */
  readonly #hiring = new Set<string>();
  readonly #writers = new Set<string>();

  /** Facts in their order. What a test run writes beside is no change. */
  hear(fact: StoredFact): Change | undefined {
    switch (fact.type) {
      case "call.decided":
        this.#decided(fact);
        return undefined;
      case "call.ended":
        return this.#ended(fact);
      case "agent.started":
        if (this.#hiring.has(fact.call)) this.#writers.add(fact.agent);
        return undefined;
      // However it ended: what it has written by then stays.
      case "agent.ended":
        return this.#writers.delete(fact.agent) ? {} : undefined;
      default:
        return undefined;
    }
  }

  #decided({ call, action, assessment, origin }: FactOf<"call.decided">): void {
    if (action?.kind === "agent") {
      // Those that fettle asks itself only read, or work in a copy.
      const apart = origin === "fettle" || assessment?.reasons.some(({ code }) => code === "agent.reads") === true;
      if (!apart) this.#hiring.add(call);
      return;
    }
    if (runsTests({ action })) return;
    const written = assessment?.effects.filter(({ kind }) => kind === "write" || kind === "delete") ?? [];
    if (written.length > 0)
      this.#calls.set(
        call,
        written.map(({ target }) => target),
      );
  }

  #ended({ call, result }: FactOf<"call.ended">): Change | undefined {
    const paths = this.#calls.get(call);
    this.#calls.delete(call);
    return paths && result.status === "done" ? { paths } : undefined;
  }
}
