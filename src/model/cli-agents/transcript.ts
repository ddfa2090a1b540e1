// What one run of another agent's program comes to, event by event. Bounded, whatever it says.
import type { Usage } from "../../protocol/message.ts";
import { addUsage, noUsage } from "../../protocol/usage.ts";
import type { AgentEvent } from "./events.ts";

export interface Act {
  tool: string;
  text: string;
  ok?: boolean;
}
type News = { type: "begun" | "done"; act: Act } | { type: "said"; text: string };

/** More are counted, and not told one by one. */
const mostActs = 500;
const longestSaid = 256 * 1024;
const mostCalls = 10_000;

export class Transcript {
  session = "";
  problem: string | undefined;
  ended = false;
  acts = 0;
  readonly #open = new Map<string, Act>();
  readonly #told = new Set<string>();
  readonly #spending = new Map<string, { model: string; usage: Usage }>();
  #said = "";
  #whole = true;
  #end: Extract<AgentEvent, { type: "ended" }> | undefined;

  hear(event: AgentEvent): News | undefined {
    switch (event.type) {
      case "session":
        this.session = /^\w[\w-]{0,79}$/.test(event.id) ? event.id : "";
        return undefined;
      case "acted":
        return this.#begin(event);
      case "acted.ended":
        return this.#finish(event.id, event.ok);
      case "said":
        return this.#say(event.text, event.whole);
      case "spending":
        if (this.#spending.size < mostCalls || this.#spending.has(event.id))
          this.#spending.set(event.id, { model: event.model, usage: event.usage });
        return undefined;
      case "ended":
        this.ended = true;
        this.#end = event;
        this.problem = event.problem;
        return undefined;
    }
  }

  /** The last thing that it said as a whole, unless it names its answer itself. */
  answer(): string {
    return this.#end?.answer ?? this.#said;
  }

  usage(): Usage {
    if (this.#end?.usage) return this.#end.usage;
    return [...this.#spending.values()].reduce((sum, { usage }) => addUsage(sum, usage), noUsage);
  }

  spending(): { model: string; usage: Usage }[] {
    return [...this.#spending.values()];
  }

  /** Micro-dollars, as it says. */
  cost(): number | undefined {
    const said = this.#end?.cost;
    return said === undefined ? undefined : Math.min(Math.ceil(said * 1e6), Number.MAX_SAFE_INTEGER);
  }

  /** Acts that it never said the end of. */
  unended(): Act[] {
    return [...this.#open.values()];
  }

  #begin({ id, tool, text }: Extract<AgentEvent, { type: "acted" }>): News | undefined {
    if (this.#open.has(id) || this.#told.has(id)) return undefined;
    this.acts += 1;
    if (this.acts > mostActs) return undefined;
    const act = { tool: tool.slice(0, 80), text };
    this.#open.set(id, act);
    this.#whole = true;
    return { type: "begun", act };
  }

  #finish(id: string, ok: boolean): News | undefined {
    const act = this.#open.get(id);
    if (!act) return undefined;
    this.#open.delete(id);
    this.#told.add(id);
    return { type: "done", act: { ...act, ok } };
  }

  #say(text: string, whole: boolean): News {
    this.#said = (whole || this.#whole ? text : this.#said + text).slice(0, longestSaid);
    this.#whole = whole;
    return { type: "said", text: whole ? `${text}\n` : text };
  }
}
