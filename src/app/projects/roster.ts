// The definitions that a run's agents are started by; a step names them one by one as it needs them.
import type { AgentDefinition } from "../../protocol/agent.ts";
import type { AgentLibrary } from "../agents/library.ts";
import type { AgentShelf } from "../agents/shelf.ts";

export class Roster {
  readonly #usable = new Map<string, AgentLibrary["usable"] extends ReadonlyMap<string, infer File> ? File : never>();

  /** No model reads of them: only code starts them. */
  readonly shelf: AgentShelf = {
    outlines: [],
    foreign: false,
    library: () => Promise.resolve({ files: [], usable: this.#usable }),
  };

  add(definition: AgentDefinition): void {
    const { name } = definition;
    this.#usable.set(name, { name, origin: "bundled", place: "fettle", notes: [], definition });
  }
}
