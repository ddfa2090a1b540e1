// Prompts on their way to a turn: looked through, and told to the hooks, which may refuse one or add to it.
import type { Part } from "../protocol/message.ts";
import { type Activity, textOf } from "./activity.ts";
import type { AgentParts } from "./agent-parts.ts";
import { inspected } from "./foreign-text.ts";

interface Entered {
  prompt: Part[];
  /** What the hooks add. */
  said: string | undefined;
  /** Aborted by a stop meanwhile: it is meant for the turn that the prompt would have begun. */
  signal: AbortSignal;
}

export class Entering {
  readonly #open = new Set<Activity>();

  get busy(): boolean {
    return this.#open.size > 0;
  }

  stop(reason: unknown): void {
    for (const { controller } of this.#open) controller.abort(reason);
  }

  async idle(): Promise<void> {
    await Promise.all([...this.#open].map(({ done }) => done));
  }

  async enter(given: Part[], hooks: AgentParts["hooks"]): Promise<Entered> {
    const controller = new AbortController();
    const { promise: done, resolve } = Promise.withResolvers<void>();
    const activity: Activity = { controller, done };
    this.#open.add(activity);
    try {
      const prompt = await inspected(given);
      const said = await hooks?.prompted(textOf(prompt), controller.signal);
      return { prompt, said, signal: controller.signal };
    } finally {
      this.#open.delete(activity);
      resolve();
    }
  }
}
