// A task keeps to the arms that its missions began with, also where it goes on in another process.
import type { Program } from "../../program/program.ts";
import type { Downs } from "./downs.ts";
import type { RouterMemory } from "./memory.ts";

export class MissionArms {
  readonly #program: Program;
  readonly #memory: RouterMemory;
  readonly #downs: Downs;
  readonly #kept = new Map<string, string>();

  constructor(program: Program, memory: RouterMemory, downs: Downs) {
    this.#program = program;
    this.#memory = memory;
    this.#downs = downs;
  }

  /** Nothing is kept for what is no mission. */
  keep(session: string, mission: string | undefined, arm: string): void {
    if (mission !== undefined) this.#kept.set(this.#key(session, mission), arm);
  }

  /** Undefined also where that arm cannot be asked at the moment. */
  begunWith(session: string, mission: string): string | undefined {
    const arm = this.#kept.get(this.#key(session, mission)) ?? this.#logged(session, mission);
    return arm === undefined || this.#downs.has(arm) ? undefined : arm;
  }

  #logged(session: string, mission: string): string | undefined {
    const decisions = this.#memory.decisionsOf(session);
    return decisions.find((each) => this.#inherits() || each.mission === mission)?.chosen;
  }

  /** All missions of such a task are one. */
  #inherits(): boolean {
    return this.#program.config().settings.router.profile === "inherit";
  }

  #key(session: string, mission: string): string {
    return `${session} ${this.#inherits() ? "" : mission}`;
  }
}
