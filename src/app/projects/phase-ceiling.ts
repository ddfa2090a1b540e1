// What a phase of a project has cost in all its steps, and what it may still cost (budget.phase_limit_usd).
import type { BudgetNode } from "../../engine/budget/node.ts";
import type { Session } from "../../engine/session/session.ts";
import { moneyText } from "../../work/task/machine/page.ts";
import type { Program } from "../program/program.ts";
import { RunFile } from "./kept.ts";

/** Whoever works on a phase works on it alone, and so does who counts. */
interface Entered {
  phase: string;
  /** Micro-dollars before this run. */
  before: number;
  /** What the run had spent when it came to the phase: a run may work on several. */
  spent: number;
}

const fileOf = (program: Program, phase: string): RunFile => new RunFile(program, `costs of ${phase}`);
const isPhase = (name: string): boolean => /^(?:[a-z0-9-]+\/)?[A-Za-z-]*\d+[A-Za-z]?(?:\.\d+)*$/.test(name);

/** A step that was killed has left its session behind, which tells what it took. */
function settled(program: Program, file: RunFile): number {
  const [spent, open] = [Number(file.get("spent") ?? 0), file.get("open")];
  if (typeof open !== "object" || open === null || Array.isArray(open)) return spent;
  // What has no price takes nothing away from what has one.
  const { micro } = program.store().pricedCostOf(String(open["session"]));
  return spent + Math.max(0, micro - Number(open["from"] ?? 0));
}

/** Micro-dollars. */
export const phaseCost = (program: Program, phase: string): number => settled(program, fileOf(program, phase));

export class PhaseCeiling {
  readonly #program: Program;
  readonly #session: Session;
  #node: BudgetNode | undefined;
  #entered: Entered | undefined;

  constructor(program: Program, session: Session) {
    this.#program = program;
    this.#session = session;
  }

  /** The node that all work of the run draws from. `limit`: of a phase, in micro-dollars; asked at each call. */
  below(above: BudgetNode, limit: () => number | undefined): BudgetNode {
    const node = above.child(
      "phase",
      this.#session.id,
      () => {
        const most = limit();
        const entered = this.#entered;
        return most === undefined || !entered ? undefined : Math.max(0, entered.spent + most - entered.before);
      },
      above.spent(),
    );
    this.#node = node;
    return node;
  }

  /** Until what it returns is called. What is no phase counts for none. */
  async enter(phase: string): Promise<() => Promise<void>> {
    if (!isPhase(phase) || this.#entered) return async () => undefined;
    const file = fileOf(this.#program, phase);
    const before = settled(this.#program, file);
    const from = this.#program.store().pricedCostOf(this.#session.id).micro;
    await file.set("spent", before);
    await file.set("open", { session: this.#session.id, from });
    this.#entered = { phase, before, spent: this.#node?.spent() ?? 0 };
    return async () => {
      await file.set("spent", settled(this.#program, file));
      await file.drop("open");
      this.#entered = undefined;
    };
  }
}

/** `key`: of a workstream as `auth/3`. What a person knows before a phase's plans are carried out. */
export function costText(program: Program, key: string, phase = key): string {
  const limit = program.config().settings.budget.phase_limit_usd;
  const spent = phaseCost(program, key);
  const left = Math.max(0, limit * 1e6 - spent);
  return [
    ...(spent > 0 ? [`Phase ${phase} has cost ${moneyText(spent)} so far.`] : []),
    ...(limit > 0 ? [`Its limit leaves ${moneyText(left)}.`] : []),
  ].join(" ");
}
