// Subagents that one answer starts at once: they draw from one node of money, and their end is told as one.
import type { FactOf } from "../../protocol/event.ts";
import { addCost, addUsage, noUsage } from "../../protocol/usage.ts";
import type { BudgetNode } from "../budget/node.ts";
import type { AgentStart } from "../calls.ts";
import type { Session } from "../session/session.ts";

/** The node that they draw from, and what they will probably take; `refused`: there is not enough for all of them to begin. */
export type WavePlan =
  | { budget: BudgetNode; forecast: Omit<FactOf<"wave.started">, "type" | "wave"> }
  | { refused: string };

type Took = Pick<FactOf<"agent.ended">, "usage" | "cost">;

export class Wave {
  readonly name: string;
  readonly budget: BudgetNode;
  readonly #session: Session;
  readonly #startedAt = performance.now();
  readonly #working = new Set<string>();
  #agents = 0;
  #took: Took = { usage: noUsage, cost: 0 };
  #growing = true;

  constructor(name: string, budget: BudgetNode, session: Session) {
    this.name = name;
    this.budget = budget;
    this.#session = session;
  }

  takes(agent: string): void {
    this.#agents += 1;
    this.#working.add(agent);
  }

  ended(agent: string, { usage, cost }: Took): void {
    this.#working.delete(agent);
    this.#took = { usage: addUsage(this.#took.usage, usage), cost: addCost(this.#took.cost, cost) };
    this.#closeWhenDone();
  }

  /** All that could begin have. */
  full(): void {
    this.#growing = false;
    this.#closeWhenDone();
  }

  #closeWhenDone(): void {
    if (this.#growing || this.#working.size > 0) return;
    this.budget.close();
    if (this.#session.failed) return;
    const ms = Math.round(performance.now() - this.#startedAt);
    this.#session.append({ type: "wave.ended", wave: this.name, agents: this.#agents, ...this.#took, ms });
  }
}

export interface WaveParts {
  /** Of the agent that starts them. */
  session: Session;
  /** Begins the names of a subagent's own subagents; empty for those of the session's first agent. */
  prefix: string;
  /** Undefined when fewer than two of them can begin. */
  plan(wave: string, starts: readonly AgentStart[]): Promise<WavePlan | undefined>;
}

export class Waves {
  readonly #parts: WaveParts;
  readonly #byCall = new Map<string, Wave | { refused: string }>();

  constructor(parts: WaveParts) {
    this.#parts = parts;
  }

  /** What the subagent belongs to that this call starts, or why it may not begin. */
  of(call: string): Wave | { refused: string } | undefined {
    return this.#byCall.get(call);
  }

  /** These calls are about to start one each. What comes back is to be called when all have begun, or will not. */
  async gather(starts: readonly AgentStart[]): Promise<() => void> {
    const { session, prefix } = this.#parts;
    const name = `${prefix}wave-${session.state.waves.length + 1}`;
    const plan = await this.#parts.plan(name, starts);
    if (!plan) return () => undefined;
    const told = "refused" in plan ? this.#refuse(plan) : this.#begin(name, plan);
    for (const { call } of starts) this.#byCall.set(call, told);
    return () => {
      for (const { call } of starts) this.#byCall.delete(call);
      if (told instanceof Wave) told.full();
    };
  }

  #refuse(plan: { refused: string }): { refused: string } {
    const { refused: text } = plan;
    this.#parts.session.append({ type: "notice.given", code: "wave.refused", level: "warning", text });
    return plan;
  }

  #begin(wave: string, { budget, forecast }: Exclude<WavePlan, { refused: string }>): Wave {
    const { session } = this.#parts;
    session.append({ type: "wave.started", wave, ...forecast });
    return new Wave(wave, budget, session);
  }
}
