// What people ask of the router: what it has learned, how it would choose, and how it does in made-up worlds.
import { newState } from "../../../engine/session/state.ts";
import { Fault } from "../../../base/fault.ts";
import { createFirewall } from "../../../guard/firewall/firewall.ts";
import { type CountsRow } from "../../../io/store/router.ts";
import { credible, meanOf } from "../../../model/router/distribution.ts";
import { believed, faded } from "../../../model/router/posterior.ts";
import { type Logged, replayAll } from "../../../model/router/replay.ts";
import { simulate } from "../../../model/router/simulation/run.ts";
import { type ScenarioName, scenarios } from "../../../model/router/simulation/worlds.ts";
import { Exit } from "../../../protocol/exit.ts";
import type { Queries } from "../../../protocol/query.ts";
import {
  type RouterExplanation,
  type RouterStat,
  type RouterStats,
  type Simulation,
  type StrategyName,
  type TaskType,
  taskTypes,
} from "../../../protocol/router.ts";
import { armSource } from "../../models/arms.ts";
import { firewallKey } from "../../program/keys.ts";
import { limitOf } from "../../record/money.ts";
import type { Program } from "../../program/program.ts";
import { routerOf } from "../../models/routing/choose.ts";
import { latencies } from "../../models/routing/latency.ts";
import { RouterMemory } from "../../models/routing/memory.ts";
import { routedBy } from "../../models/routing/choice/words.ts";

const replayed = 5_000;

export function stats(program: Program): RouterStats {
  const memory = new RouterMemory(program);
  const latency = latencies(program);
  try {
    const store = memory.store();
    if (!store)
      return {
        arms: [],
        latency,
        strategies: [],
        decisions: { total: 0, judged: 0 },
        replay: [],
        notices: memory.news(),
      };
    const now = { at: Date.now(), round: store.rounds() };
    const rows = store.counts().toSorted((left, right) => left.key.localeCompare(right.key) || order(left, right));
    const told = rows.map((row) => ({ row, stat: statOf(row, now) }));
    const log: Logged[] = store
      .decisions(replayed)
      .flatMap(({ judged, pinned, type, chosen, propensities }) =>
        judged && !pinned ? [{ type, chosen, propensities, reward: judged.reward }] : [],
      );
    return {
      latency,
      arms: told.flatMap(({ row, stat }) => (row.kind === "arm" ? [{ arm: row.key, ...stat }] : [])),
      strategies: told.flatMap(({ row, stat }) =>
        row.kind === "strategy" ? [{ strategy: row.key as StrategyName, ...stat }] : [],
      ),
      decisions: store.totals(),
      replay: replayAll(log),
      notices: [...memory.news(), ...store.notices],
    };
  } finally {
    memory.close();
  }
}

const order = (left: CountsRow, right: CountsRow): number =>
  taskTypes.indexOf(left.type) - taskTypes.indexOf(right.type);

/** What was seen, beside an even chance: what is expected of a model of its kind is left out. */
function statOf(row: CountsRow, now: { at: number; round: number }): Omit<RouterStat, "arm"> {
  const counts = faded(row, now);
  const belief = believed(0.5, counts);
  const observations = counts.good + counts.bad;
  return {
    ...{ type: row.type, n: row.n, observations },
    mean: meanOf(belief),
    interval: credible(belief),
    ...{ last: row.at, lastOutcome: row.outcome },
  };
}

/** As the next turn of a new session would be chosen; nothing is asked, and nothing logged. */
export async function explain(
  program: Program,
  { prompt, mission, plan }: Queries["router.explain"],
): Promise<RouterExplanation> {
  const { settings } = program.config();
  const router = await routerOf(program, armSource(program));
  try {
    const state = newState();
    const model = program.flags.model ?? settings.model.default ?? "auto";
    const by = routedBy(model, settings) ?? { word: "auto" as const };
    const left = limitOf(settings.budget.session_limit_usd);
    const planned = await router.plan({
      state: {
        ...state,
        autonomy: settings.autonomy.level,
        ceiling: plan === true ? "plan" : settings.autonomy.ceiling,
      },
      attended: true,
      session: "",
      firewall: createFirewall(firewallKey(program.places)),
      wish: {
        ...{ model, prompt: [{ type: "text", text: prompt }] },
        ...(mission !== undefined && { mission }),
        ...(left !== undefined && { left }),
      },
      by,
      strategies: router.strategies(state),
    });
    const { work, profile, decision, strategy } = planned;
    return {
      classification: work,
      profile,
      ...(decision.chosen !== undefined && { chosen: decision.chosen }),
      why: decision.why,
      candidates: decision.candidates.map(({ belief, ...rest }) => ({ ...rest, interval: credible(belief) })),
      excluded: decision.excluded,
      ...strategy,
      notices: router.memory.news(),
    };
  } finally {
    router.close();
  }
}

/** One row of worlds for each scenario that was asked for. Throws a Fault for what would take for ever. */
export function simulated({ rounds, arms, seed, scenario, profile }: Queries["router.simulate"]): Simulation[] {
  if (scenario !== undefined && !(scenarios as readonly string[]).includes(scenario))
    throw new Fault(
      "simulate.scenario",
      Exit.usage,
      `There is no scenario ${scenario}.`,
      `There are: ${scenarios.join(", ")}.`,
    );
  if (rounds > 20_000) throw tooMuch("rounds", 20_000);
  if (arms < 2 || arms > 12)
    throw new Fault("simulate.arms", Exit.usage, "A simulation has 2 to 12 models.", "Ask for as many.");
  const wanted = scenario === undefined ? scenarios : [scenario as ScenarioName];
  const seeds = Array.from({ length: 3 }, (_, at) => seed + at);
  return wanted.map((each) => simulate({ scenario: each, rounds, arms, seeds, profile: profile ?? "balanced" }));
}

const tooMuch = (what: string, most: number): Fault =>
  new Fault("simulate.much", Exit.usage, `More than ${most} ${what} would take too long.`, "Ask for fewer.");

/** Answers how many counts were forgotten. Throws a Fault for an unknown kind of work. */
export function resetMemory(program: Program, { arm, type }: { arm?: string; type?: string }): number {
  if (type !== undefined && !(taskTypes as readonly string[]).includes(type))
    throw new Fault(
      "router.type",
      Exit.usage,
      `There is no kind of work ${type}.`,
      `There are: ${taskTypes.join(", ")}.`,
    );
  const memory = new RouterMemory(program);
  try {
    return (
      memory
        .store()
        ?.reset({ ...(arm !== undefined && { arm }), ...(type !== undefined && { type: type as TaskType }) }) ?? 0
    );
  } finally {
    memory.close();
  }
}
