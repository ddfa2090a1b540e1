// Which arm a turn asks: named, or chosen for it by whoever knows them all; and which one instead, where it fails.
import type { Arm } from "../model/arms.ts";
import type { Stop } from "../protocol/event.ts";
import type { Part } from "../protocol/message.ts";

/** What a choice can go by. */
export interface ArmWish {
  /** As the session says it: the name of an arm, or a word that leaves the choice. */
  model: string;
  prompt: readonly Part[];
  /** Of a task, or the name of a subagent. */
  mission?: string;
  /** Micro-dollars; absent: nothing limits it. */
  left?: number;
}

export interface ArmChoice {
  arm: Arm;
  /** Called once its turn has begun, with the turn's number. */
  begun?(turn: number): void;
  /** The next one to ask after this one failed, which the person has been told; undefined when there is none. */
  instead?(stop: Stop): Promise<ArmChoice | undefined>;
}

/** Whoever answers in a turn: the arm that was chosen, until it fails. */
export class Seat {
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

  /** True when another arm is asked from here on. */
  async replace(stop: Stop): Promise<boolean> {
    const next = await this.#choice.instead?.(stop);
    if (next) this.#choice = next;
    return next !== undefined;
  }
}
