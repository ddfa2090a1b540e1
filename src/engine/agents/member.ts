// One subagent at work: from what it is told to its end, with what it took.
import type { AgentEnd, AgentRow } from "../../protocol/agent.ts";
import type { Event, Stop, StoredFact } from "../../protocol/event.ts";
import type { Part } from "../../protocol/message.ts";
import { addCost, addUsage, noUsage } from "../../protocol/usage.ts";
import type { Agent } from "../agent.ts";
import type { Session } from "../session/session.ts";
import { currentTurn } from "../session/state.ts";
import type { SubagentState } from "../session/agent-rows.ts";

/** A subagent's session, opened to work on; closed when the work has ended. */
export interface Worker {
  session: Session;
  agent: Agent;
  model: string;
  colour?: string;
  /** It works on files that nobody else has. */
  apart?: boolean;
  close(end: MemberEnd): Promise<void>;
}

export interface MemberEnd {
  state: AgentEnd;
  why: string;
}

interface Listener {
  /** Everything that happens in its session. */
  event(agent: string, event: Event): void;
  fact(member: Member, fact: StoredFact): void;
}

const cancelled: Stop = { kind: "interrupted", text: "Cancelled." };

const prompt = (text: string): Part[] => [{ type: "text", text }];

export class Member {
  readonly agent: string;
  readonly background: boolean;
  readonly worker: Worker;
  readonly #controller = new AbortController();
  readonly #startedAt = performance.now();
  /** Events after this one are of this piece of work. */
  readonly #from: number;
  readonly #before: Pick<SubagentState, "usage" | "cost" | "rounds">;
  readonly #more: string[] = [];
  #calls = 0;
  #at: "waiting" | "working" = "waiting";
  #failure: string | undefined;

  constructor(agent: string, worker: Worker, background: boolean) {
    this.agent = agent;
    this.worker = worker;
    this.background = background;
    const { usage, cost, rounds, turns, seq } = worker.session.state;
    this.#from = turns.length === 0 ? 0 : seq;
    this.#before = { usage, cost, rounds: rounds.length };
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** It reads that before its next step, or first of all; false when it is at its end. */
  tell(text: string): boolean {
    if (this.#at === "waiting") {
      this.#more.push(text);
      return true;
    }
    const { agent } = this.worker;
    if (!agent.busy) return false;
    agent.prompt(prompt(text)).catch((error: unknown) => this.worker.session.fail(error));
    return true;
  }

  cancel(stop: Stop = cancelled): void {
    this.#controller.abort(stop);
  }

  /** Never rejects: what goes wrong here is this subagent's end, and nobody else's. */
  async work(task: readonly Part[], listener: Listener): Promise<MemberEnd> {
    this.#at = "working";
    const { agent, session } = this.worker;
    const deaf = session.listen((fact) => {
      if (fact.type === "call.ended") this.#calls += 1;
      listener.fact(this, fact);
    });
    const passed = this.#passOn(listener);
    const stop = () => agent.stop(this.signal.reason as Stop);
    this.signal.addEventListener("abort", stop, { once: true });
    try {
      const [first, ...others] = task;
      const told = first?.type === "text" ? prompt([first.text, ...this.#more].join("\n\n")) : [];
      await agent.prompt([...told, ...others]);
      if (this.signal.aborted) stop();
      await agent.idle();
      return this.#end();
    } catch (error) {
      return { state: "failed", why: error instanceof Error ? error.message : String(error) };
    } finally {
      this.signal.removeEventListener("abort", stop);
      session.closeReaders();
      await passed;
      deaf();
    }
  }

  /** What it has taken since it was told to work. */
  took(): Pick<AgentRow, "rounds" | "calls" | "usage" | "cost"> & { denials: number; ms: number } {
    const { usage, cost, rounds, denials } = this.worker.session.state;
    const before = this.#before;
    const minus = Object.fromEntries(Object.entries(before.usage).map(([key, value]) => [key, -value]));
    return {
      rounds: rounds.length - before.rounds,
      calls: this.#calls,
      usage: addUsage(usage, { ...noUsage, ...minus }),
      cost: addCost(cost, before.cost === null ? 0 : -before.cost),
      denials,
      ms: Math.round(performance.now() - this.#startedAt),
    };
  }

  get state(): "waiting" | "working" {
    return this.#at;
  }

  async #passOn({ event: pass }: Listener): Promise<void> {
    for await (const event of this.worker.session.events(this.#from)) {
      if (event.type === "session.failed") this.#failure = event.text;
      pass(this.agent, event);
    }
  }

  #end(): MemberEnd {
    const { state } = this.worker.session;
    const stop = currentTurn(state)?.stop;
    if (this.#failure !== undefined) return { state: "failed", why: this.#failure };
    if (!stop) return { state: "failed", why: "Its turn did not end." };
    if (stop.kind === "done") return { state: "done", why: "" };
    return { state: this.signal.aborted || stop.kind === "interrupted" ? "cancelled" : "failed", why: stop.text };
  }
}
