// One choice with everything that its turn, its row in the log and its fallbacks need.
import { randomBytes } from "node:crypto";
import { Fault } from "../../../../base/fault.ts";
import type { ArmWish } from "../../../../engine/arm-choice.ts";
import type { Session } from "../../../../engine/session/session.ts";
import type { Firewall } from "../../../../guard/firewall/firewall.ts";
import type { DecisionRow } from "../../../../io/store/router.ts";
import type { ArmDecision } from "../../../../model/router/decide.ts";
import type { StrategyDecision } from "../../../../model/router/strategies.ts";
import { Exit } from "../../../../protocol/exit.ts";
import type { Classification, RouterProfile } from "../../../../protocol/router.ts";
import type { Staff } from "./crew.ts";
import type { RoutedBy } from "./words.ts";

export interface Ask {
  session: Session;
  firewall: Firewall;
  wish: ArmWish;
  by: RoutedBy;
  /** Absent: one arm does it alone. */
  staff?: Staff;
}

export interface Plan {
  work: Classification;
  profile: RouterProfile;
  decision: ArmDecision;
  strategy: StrategyDecision;
}

export interface Course {
  ask: Ask;
  plan: Plan;
  failed: Set<string>;
  turn: number;
  /** In place of why the arm was chosen, where a strategy has. */
  said?: { arm: string; text: string };
}

export const newId = (): string => randomBytes(9).toString("base64url");
export const newSeed = (): number => randomBytes(6).readUIntBE(0, 6);

/** `drawn`: it was chosen by chance, so that the log tells what others would have come to. */
export function rowOf({ ask, plan, turn }: Course, chosen: string, drawn: boolean): DecisionRow {
  const { work, profile, decision, strategy } = plan;
  const likely = strategy.strategies.filter(({ propensity }) => propensity > 0);
  return {
    ...{ id: newId(), at: Date.now(), session: ask.session.id, turn },
    ...(ask.wish.mission !== undefined && { mission: ask.wish.mission }),
    ...{ type: work.type, complexity: work.complexity, profile, chosen },
    ...(!drawn && { pinned: true }),
    propensities: Object.fromEntries(decision.candidates.map((each) => [each.arm, each.propensity])),
    strategy: strategy.strategy,
    strategyPropensities: Object.fromEntries(likely.map((each) => [each.strategy, each.propensity])),
  };
}

export const noneCan = ({ decision }: Plan): Fault =>
  new Fault(
    "router.none",
    Exit.usage,
    `No model can take this: ${decision.why}.`,
    "`fettle models` shows what is set up; name one with --model provider/model.",
  );
