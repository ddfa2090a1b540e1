// Which arm a turn asks: named, or chosen for it by whoever knows them all; and which one instead, where it fails.
import type { Arm } from "../model/contract/arm.ts";
import type { Stop } from "../protocol/event.ts";
import type { Part } from "../protocol/message.ts";
import { noUsage } from "../protocol/usage.ts";
import type { Session } from "./session/session.ts";

/** What a choice can go by. */
export interface ArmWish {
  /** As the session says it: the name of an arm, or a word that leaves the choice. */
  model: string;
  prompt: readonly Part[];
  /** Of a task, or the name of a subagent. */
  mission?: string;
  /** What this mission has made before fails: it is sent to mend that. */
  mends?: boolean;
  /** Micro-dollars; absent: nothing limits it. */
  left?: number;
}

/** What others have done before the arm is asked: for it to read, or the whole answer of the arm `model`. */
export type Prepared = { note: string } | { answer: string; model: string };

export interface ArmChoice {
  arm: Arm;
  /** Called once its turn has begun, with the turn's number. */
  begun?(turn: number): void;
  /** The next one to ask after this one failed, which the person has been told; undefined when there is none. */
  instead?(stop: Stop): Promise<ArmChoice | undefined>;
  /** Before the first round of a turn. Never rejects for what a model or provider does. */
  prepare?(signal: AbortSignal): Promise<Prepared | undefined>;
  /** Judges an answer that would end the turn: what `next` is to read, when the turn goes on with that. */
  review?(answer: string, signal: AbortSignal): Promise<{ note: string; next: ArmChoice } | undefined>;
}

/** Whoever answers in a turn: the arm that was chosen, until it fails. */
export class ActiveModel {
  #choice: ArmChoice;

  constructor(choice: ArmChoice) {
    this.#choice = choice;
  }

  get arm(): Arm {
    return this.#choice.arm;
  }

  /** Another could be asked: it is not worth it to wait long for this one. */
  get replaceable(): boolean {
    return this.#choice.instead !== undefined;
  }

  begun(turn: number): void {
    this.#choice.begun?.(turn);
  }

  /** Nothing is prepared twice for a turn that goes on after a crash. */
  async prepare(session: Session, turn: number, signal: AbortSignal): Promise<void> {
    if (!this.#choice.prepare || session.state.rounds.some((each) => each.turn === turn)) return;
    const prepared = await this.#choice.prepare(signal);
    if (!prepared || signal.aborted) return;
    if ("note" in prepared) session.append({ type: "note.added", turn, text: prepared.note });
    else adopt(session, turn, prepared);
  }

  /** A note when the turn goes on, with the arm that is asked from here on. */
  async review(answer: string, signal: AbortSignal): Promise<{ note: string } | undefined> {
    const said = await this.#choice.review?.(answer, signal);
    if (!said) return undefined;
    this.#choice = said.next;
    return { note: said.note };
  }

  /** True when another arm is asked from here on. */
  async replace(stop: Stop): Promise<boolean> {
    const next = await this.#choice.instead?.(stop);
    if (next) this.#choice = next;
    return next !== undefined;
  }
}

/** What it took to write it is counted where it was written. */
function adopt(session: Session, turn: number, { answer, model }: { answer: string; model: string }): void {
  const round = { turn, round: 1, model };
  session.append({ type: "round.started", ...round });
  session.publish({ type: "text.delta", turn, text: answer });
  const content = [{ type: "text" as const, text: answer }];
  const free = { finish: "stop" as const, usage: noUsage, cost: 0, ms: 0 };
  session.append({ type: "round.ended", ...round, vendor: "", content, ...free });
}
