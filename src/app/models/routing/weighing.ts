// What each arm is worth for a piece of work: who there is, what is left of pools, what was learned, who may be asked.
import { decide } from "../../../model/router/decide.ts";
import { type Random, seededRandom } from "../../../model/router/random.ts";
import type { Pools } from "../../../model/pools/pools.ts";
import { chooseStrategy } from "../../../model/router/strategies.ts";
import type { Classification } from "../../../protocol/router.ts";
import { paceOf } from "./latency.ts";
import { findingsOf } from "../cards/findings.ts";
import { sandboxOf } from "../../program/machine.ts";
import { type Money, openMoney } from "../../record/money.ts";
import { openPools } from "../cards/pools.ts";
import type { Program } from "../../program/program.ts";
import { armsOfTier, candidatesOf } from "./candidates.ts";
import type { Downs } from "./downs.ts";
import { newSeed, type Plan } from "./choice/log.ts";
import type { RouterMemory } from "./memory.ts";
import type { Offered } from "./strategies/allowed.ts";
import type { RoutedBy } from "./choice/words.ts";

type WeighingInput = Pick<Parameters<typeof decide>[0], "needs" | "warm" | "pin"> & {
  /** Why another agent's program is not asked. */
  barred(arm: string): string | undefined;
};

export class Weighing {
  readonly #program: Program;
  readonly #memory: RouterMemory;
  readonly #downs: Downs;
  readonly #random: Random = seededRandom(newSeed());
  /** What is looked into for each choice, until it is closed. */
  #shared: { money: Money; pools: Pools } | undefined;

  constructor(program: Program, memory: RouterMemory, downs: Downs) {
    this.#program = program;
    this.#memory = memory;
    this.#downs = downs;
  }

  /** A later choice opens again what it needs. */
  close(): void {
    this.#shared?.money.close();
    this.#shared = undefined;
  }

  async candidates(): ReturnType<typeof candidatesOf> {
    const { settings } = this.#program.config();
    const findings = findingsOf(this.#program);
    if (!this.#shared) {
      const money = openMoney(this.#program);
      this.#shared = { money, pools: openPools(this.#program, money) };
    }
    const { money, pools } = this.#shared;
    pools.recall();
    const around = {
      ...{ settings, env: this.#program.env, findings, pools },
      runs: (paidAs: string, most: number) => money.purse().spend.runs(paidAs, most),
      pace: (arm: string) => (this.#program.incognito ? undefined : paceOf(money, arm)),
      sandboxed: sandboxOf(this.#program).name !== "none",
    };
    return this.#downs.mark(await candidatesOf(around));
  }

  async weigh(
    work: Classification,
    by: RoutedBy,
    { barred, ...more }: WeighingInput,
    available: Offered = { available: [] },
  ): Promise<Plan> {
    const { settings } = this.#program.config();
    const { profile, latency_weight: latencyWeight } = settings.router;
    const candidates = (await this.candidates()).map((each) =>
      each.program ? { ...each, program: { ...each.program, barred: barred(each.arm) } } : each,
    );
    const among = "tier" in by && { name: by.tier, arms: armsOfTier(by.tier, candidates, settings) };
    const needs = { ...more.needs, ...(among && { among }), ...this.#privacy() };
    const seen = this.#memory.seenArms(work.type, candidates);
    const decision = decide({ ...more, work, candidates, needs, profile, seen, latencyWeight }, this.#random);
    const strategy = chooseStrategy(
      {
        ...{ work, profile, arms: decision.candidates, chosen: decision.chosen ?? "", ...available },
        ...{ seen: this.#memory.seenStrategies(work.type), images: needs.images },
      },
      this.#random,
    );
    return { work, profile, decision, strategy };
  }

  #privacy(): { localOnly?: string } {
    const local = this.#program.incognito && this.#program.config().settings.incognito.local_only;
    return local ? { localOnly: "incognito asks local models only" } : {};
  }
}
