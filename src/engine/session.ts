// One conversation: its log of facts, and the only writer of that log.
import { Fault } from "../base/fault.ts";
import { AsyncQueue } from "../base/queue.ts";
import type { Delta, Event, Fact, StoredFact } from "../protocol/event.ts";
import { Exit } from "../protocol/exit.ts";
import { fold, newState, type SessionState } from "./state.ts";

/** What a session needs of the store. */
export interface FactStore {
  append(session: string, fact: Fact): StoredFact;
  facts(session: string, after?: number): StoredFact[];
}

/** Appends facts (durable before anybody sees them), folds them into state, and shows every reader the same stream. */
export class Session {
  readonly id: string;
  readonly state: SessionState;
  readonly #store: FactStore;
  readonly #readers = new Set<AsyncQueue<Event>>();
  readonly #listeners = new Set<(fact: StoredFact) => void>();
  #failed = false;
  #highestTurn = 0;

  private constructor(id: string, store: FactStore) {
    this.id = id;
    this.#store = store;
    this.state = newState();
    this.state.id = id;
  }

  /** Replays what the store holds of the session; a new session has no facts. */
  static open(id: string, store: FactStore): Session {
    const session = new Session(id, store);
    for (const fact of store.facts(id)) session.#take(fact);
    return session;
  }

  append(fact: Fact): StoredFact {
    const stored = this.#store.append(this.id, fact);
    this.#take(stored);
    for (const reader of this.#readers) reader.push(stored);
    for (const listener of this.#listeners) listener(stored);
    return stored;
  }

  publish(delta: Delta): void {
    for (const reader of this.#readers) reader.push({ ...delta, session: this.id });
  }

  /** Called with each fact as soon as it is stored; the function that comes back ends that. */
  listen(listener: (fact: StoredFact) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  get failed(): boolean {
    return this.#failed;
  }

  /** For what no fact can record any more: every reader is told, and nothing else follows. */
  fail(error: unknown): void {
    if (this.#failed) return;
    this.#failed = true;
    this.publish({ type: "session.failed", ...failureOf(error) });
    this.closeReaders();
  }

  /** Facts after `after` from the store, then live events, without a gap or a repetition. */
  events(after: number): AsyncIterable<Event> {
    const queue = new AsyncQueue<Event>(() => this.#readers.delete(queue));
    for (const fact of this.#store.facts(this.id, after)) queue.push(fact);
    this.#readers.add(queue);
    return queue;
  }

  closeReaders(): void {
    for (const reader of this.#readers) reader.end();
  }

  /** A number no turn of this session has had, rewound ones included. */
  nextTurn(): number {
    return this.#highestTurn + 1;
  }

  #take(fact: StoredFact): void {
    fold(this.state, fact);
    if (fact.type === "turn.started") this.#highestTurn = Math.max(this.#highestTurn, fact.turn);
  }
}

function failureOf(error: unknown): Omit<Extract<Delta, { type: "session.failed" }>, "type"> {
  if (error instanceof Fault) {
    const { code, message: text, exit, remedy } = error;
    return { code, text, exit, ...(remedy !== undefined && { remedy }) };
  }
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  return { code: "bug", text: message, exit: Exit.failed, ...(stack !== undefined && { stack }) };
}
