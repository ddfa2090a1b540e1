// npm run bench -- router: what the router misses in worlds that change, against other ways of choosing, and whether replaying
// its log tells the truth. Writes the plots of docs/guide/routing.md. The numbers of the router were tuned on the seeds from
// 1000 on, in the scenarios drift and newcomer only; what is reported here comes from other seeds.
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { always, evenly, type Policy, replay } from "../src/model/router/replay.ts";
import {
  bestFixed,
  bestFixedByType,
  greedy,
  heuristicOnly,
  type MakePolicy,
  oracle,
  roundRobin,
  routerPolicy,
} from "../src/model/router/simulation/policies.ts";
import { play, type Played, spread, unjudgedShare } from "../src/model/router/simulation/run.ts";
import { type ScenarioName, scenarios, worldOf } from "../src/model/router/simulation/worlds.ts";
import { barChart, type Line, lineChart } from "./svg.ts";

const rounds = 2_000;
const arms = 6;
const seeds = Array.from({ length: 20 }, (_, at) => 1 + at);
const profile = "balanced" as const;
const folder = path.resolve(import.meta.dirname, "../docs/guide/images");

interface Contestant {
  name: string;
  ink: number;
  make: MakePolicy;
}

const contestants: readonly Contestant[] = [
  { name: "oracle", ink: 5, make: oracle },
  { name: "router", ink: 0, make: routerPolicy() },
  { name: "best fixed by kind", ink: 2, make: bestFixedByType },
  { name: "best fixed", ink: 3, make: bestFixed },
  { name: "greedy", ink: 1, make: greedy },
  { name: "heuristic only", ink: 4, make: heuristicOnly },
  { name: "round-robin", ink: 5, make: roundRobin },
];

interface Outcome {
  contestant: Contestant;
  all: Played[];
  regret: ReturnType<typeof spread>;
  share: ReturnType<typeof spread>;
}

export async function routerBench(): Promise<string> {
  const results = scenarios.map((scenario) => ({ scenario, outcomes: contest(scenario) }));
  mkdirSync(folder, { recursive: true });
  for (const { scenario, outcomes } of results)
    writeFileSync(path.join(folder, `routing-${scenario}.svg`), regretPlot(scenario, outcomes));
  writeFileSync(path.join(folder, "routing-missed.svg"), missedPlot(results));
  return [
    `router: ${rounds} rounds, ${arms} models, ${seeds.length} worlds each; a third of the work is judged by nobody`,
    ...results.map(({ scenario, outcomes }) => tableOf(scenario, outcomes)),
    pairedTable(results),
    replayTable(),
    `plots: ${path.relative(process.cwd(), folder)}/routing-*.svg`,
  ].join("\n\n");
}

function contest(scenario: ScenarioName): Outcome[] {
  const worlds = seeds.map((seed) => ({ seed, world: worldOf(scenario, { rounds, arms, seed }) }));
  return contestants.map((contestant) => {
    const all = worlds.map(({ seed, world }) =>
      play(world, contestant.make, { seed, profile, unjudged: unjudgedShare }),
    );
    return {
      contestant,
      all,
      regret: spread(all.map(({ regrets }) => regrets.at(-1) ?? 0)),
      share: spread(all.map(({ regrets, best }) => (100 * (regrets.at(-1) ?? 0)) / best)),
    };
  });
}

const span = ([low, high]: readonly [number, number], digits: number): string =>
  `${low.toFixed(digits)} to ${high.toFixed(digits)}`;

function tableOf(scenario: string, outcomes: readonly Outcome[]): string {
  const mean = (values: readonly number[]): string =>
    (values.reduce((sum, each) => sum + each, 0) / values.length).toFixed(2);
  const lines = outcomes
    .toSorted((left, right) => left.regret.mean - right.regret.mean)
    .map(({ contestant, all, regret, share }) => {
      const cells = [
        regret.mean.toFixed(1).padStart(8),
        span(regret.interval, 1).padStart(18),
        `${share.mean.toFixed(1)} %`.padStart(9),
      ];
      return `  ${contestant.name.padEnd(20)}${cells.join("")}${mean(all.map(({ quality }) => quality)).padStart(9)}${mean(all.map(({ cost }) => cost)).padStart(7)}`;
    });
  return [`${scenario.padEnd(22)}  regret              95 %   missed  quality   cost`, ...lines].join("\n");
}

/** In the same worlds, so that what they have in common does not blur the difference. */
function pairedTable(results: readonly { scenario: string; outcomes: readonly Outcome[] }[]): string {
  const last = ({ all }: Outcome): number[] => all.map(({ regrets }) => regrets.at(-1) ?? 0);
  const lines = results.flatMap(({ scenario, outcomes }) => {
    const own = outcomes.find(({ contestant }) => contestant.name === "router");
    const others = outcomes.filter(({ contestant }) => contestant.name !== "router" && contestant.name !== "oracle");
    return others.map((other) => {
      const differences = last(other).map((regret, at) => regret - (own ? (last(own)[at] ?? 0) : 0));
      const { mean, interval } = spread(differences);
      const verdict =
        interval[0] > 0 ? "the router is better" : interval[1] < 0 ? "the router is worse" : "no difference shown";
      return `  ${scenario.padEnd(12)}${other.contestant.name.padEnd(20)}${mean.toFixed(1).padStart(8)}${span(interval, 1).padStart(20)}   ${verdict}`;
    });
  });
  return ["regret that others have more than the router, world by world".padEnd(62), ...lines].join("\n");
}

const titles: Record<ScenarioName, string> = {
  steady: "nothing changes",
  drift: "every model drifts",
  shifts: "every model jumps, a few times",
  decay: "one after the other gets worse",
  newcomer: "half of the models are replaced by better ones",
};

function regretPlot(scenario: ScenarioName, outcomes: readonly Outcome[]): string {
  const steps = 100;
  const lines: Line[] = outcomes
    .filter(({ contestant }) => contestant.name !== "oracle")
    .map(({ contestant: { name, ink }, all }) => ({
      ...{ name, ink },
      values: Array.from({ length: steps + 1 }, (_, step) => {
        const round = Math.min(rounds - 1, Math.round((step * rounds) / steps));
        return step === 0 ? 0 : all.reduce((sum, { regrets }) => sum + (regrets[round] ?? 0), 0) / all.length;
      }),
    }));
  const about = { x: "pieces of work", y: "regret (score, summed up)", until: rounds };
  return lineChart({ title: `Regret in “${scenario}”: ${titles[scenario]}`, ...about }, lines);
}

function missedPlot(results: readonly { scenario: string; outcomes: readonly Outcome[] }[]): string {
  const groups = results.map(({ scenario, outcomes }) => ({
    name: scenario,
    bars: outcomes
      .filter(({ contestant }) => !["oracle", "round-robin"].includes(contestant.name))
      .map(({ contestant: { name, ink }, share }) => ({
        name,
        ink,
        value: share.mean,
        interval: share.interval,
      })),
  }));
  return barChart("Missed of what the best model of each moment would have had (lines: 95 %)", "percent", groups);
}

/** The log of one world, and what each policy would really have earned there: the truth is known here. */
function replayTable(): string {
  const world = worldOf("steady", { rounds, arms, seed: 77 });
  const { log } = play(world, routerPolicy(), { seed: 77, profile, unjudged: 0 });
  const expected = (chances: Readonly<Record<string, number>>, round: number): number =>
    world.arms.reduce((sum, { arm }, at) => sum + (chances[arm] ?? 0) * world.quality(at, round), 0);
  const policies: [string, Policy][] = [
    ["evenly", evenly],
    ...world.arms.map(({ arm }): [string, Policy] => [`always ${arm}`, always(arm)]),
  ];
  const lines = policies.map(([name, policy]) => {
    const estimate = replay(name, log, policy);
    const truth = log.reduce((sum, logged, round) => sum + expected(policy(logged), round), 0) / log.length;
    const told = estimate.effective >= 10;
    const cells = told ? [estimate.value.toFixed(2), span(estimate.interval, 2)] : ["–", "too few"];
    return `  ${name.padEnd(22)}${truth.toFixed(2).padStart(8)}${(cells[0] ?? "").padStart(10)}${(cells[1] ?? "").padStart(16)}${estimate.effective.toFixed(0).padStart(10)}`;
  });
  return ["replay of the log by inverse propensity   true  estimate            95 %    counts", ...lines].join("\n");
}
