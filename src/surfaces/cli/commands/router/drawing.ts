// What the router has learned, would choose, and does in made-up worlds, as tables.
import type { RouterExplanation, RouterStats, ScoredStrategy, Simulation } from "../../../../protocol/router.ts";
import { words } from "./words.ts";
import { age, duration, money } from "../../text/amounts.ts";
import { safeLine } from "../../text/safe-text.ts";
import type { Look } from "../../text/style.ts";
import { renderPairs, renderTable } from "../../text/table.ts";
import { textWidth, wrap } from "../../text/width.ts";
import { decimal } from "../../../phrases/numbers.ts";

const fixed = (value: number): string => decimal(value, 2);
const percent = (share: number): string => `${decimal(100 * share, share < 0.1 ? 1 : 0)} %`;
const span = ([low, high]: readonly [number, number], digits = 2): string =>
  `${decimal(low, digits)}–${decimal(high, digits)}`;
const right = (title: string) => ({ title, right: true });

const told = (notices: readonly string[], { style, width }: Look): string[] =>
  notices.flatMap((notice) => wrap(safeLine(notice), width).map((line) => style.yellow(line)));

export function renderStats(stats: RouterStats, look: Look, now: number): string[] {
  const notices = told(stats.notices, look);
  const { total } = stats.decisions;
  const times = renderTimes(stats, look);
  if (stats.arms.length === 0 && stats.strategies.length === 0)
    return [...notices, ...wrap(total === 0 ? words.nothing : words.nothingCame(total), look.width), ...times];
  const { arm, strategy, kind, n, now: counts, mean, interval, last, outcome } = words.columns;
  const columns = (first: string) => [
    { title: first, flexible: true },
    { title: kind },
    ...[n, counts, mean, interval].map(right),
    { title: last },
    { title: outcome, flexible: true },
  ];
  const cells = (each: RouterStats["strategies"][number] | RouterStats["arms"][number], name: string) => [
    ...[safeLine(name), words.kind(each.type), String(each.n), decimal(each.observations, 1), fixed(each.mean)],
    ...[span(each.interval), age(each.last, now), words.outcomes[each.lastOutcome]],
  ];
  const strategies = stats.strategies.filter((each) => each.strategy !== "single");
  return [
    ...notices,
    ...renderTable(
      columns(arm),
      stats.arms.map((each) => cells(each, each.arm)),
      look,
    ),
    ...(strategies.length === 0
      ? []
      : [
          "",
          ...renderTable(
            columns(strategy),
            strategies.map((each) => cells(each, each.strategy)),
            look,
          ),
        ]),
    "",
    words.decisions(stats.decisions.total, stats.decisions.judged),
    ...times,
    ...renderReplay(stats, look),
  ];
}

function renderTimes({ latency }: RouterStats, look: Look): string[] {
  if (latency.length === 0) return [];
  const { arm, answers, first, median, p90 } = words.times;
  const columns = [{ title: arm, flexible: true }, ...[answers, first, median, p90].map(right)];
  const rows = latency.map((each) => [
    ...[safeLine(each.arm), String(each.answers)],
    ...[each.firstMs, each.medianMs, each.p90Ms].map(duration),
  ]);
  return ["", words.timesTitle, ...renderTable(columns, rows, look)];
}

function renderReplay({ replay }: RouterStats, look: Look): string[] {
  if (replay.length === 0) return [];
  const { policy, value, interval, effective } = words.columns;
  const rows = replay.map((each) => [
    safeLine(each.policy),
    fixed(each.value),
    span(each.interval),
    decimal(each.effective, 0),
  ]);
  const columns = [{ title: policy, flexible: true }, ...[value, interval, effective].map(right)];
  return [words.replayTitle, ...renderTable(columns, rows, look)];
}

export function renderExplanation(answer: RouterExplanation, look: Look): string[] {
  const { style } = look;
  const { classification: work } = answer;
  const because = work.because === "" ? "" : `: ${safeLine(work.because)}`;
  const several = answer.strategies.filter(({ excluded }) => excluded === undefined).length > 1;
  const pairs = renderPairs(
    [
      [
        words.work,
        `${words.kind(work.type)}, ${words.complexity(work.complexity)} ${style.dim(`(${words.by[work.by]}${because})`)}`,
      ],
      [words.profile, answer.profile],
      [words.would, `${style.bold(safeLine(answer.chosen ?? words.nobody))} ${style.dim(`(${safeLine(answer.why)})`)}`],
      ...(several ? ([[words.strategy, answer.strategy]] as const) : []),
    ],
    look,
  );
  const unsaid = work.notByModel === undefined ? [] : [style.yellow(words.notByModel(safeLine(work.notByModel)))];
  return [
    ...told(answer.notices, look),
    ...pairs,
    ...unsaid,
    ...renderScored(answer, look),
    ...renderRuns(answer, look),
    ...renderExcluded(answer, look),
    "",
    ...renderStrategies(answer.strategies, look),
    "",
    ...wrap(words.notDrawn, look.width).map((line) => style.dim(line)),
  ];
}

function renderScored({ candidates, chosen }: RouterExplanation, look: Look): string[] {
  if (candidates.length === 0) return [];
  const paint = (cell: string, row: number, column: number) =>
    column === 0 && candidates[row]?.arm === chosen ? look.style.bold(cell) : cell;
  const table = (width: number, titles: readonly (keyof typeof scoredCells)[]) => {
    const columns = [{ title: words.scored.arm, flexible: true }, ...titles.map((title) => right(words.scored[title]))];
    const rows = candidates.map((each) => [safeLine(each.arm), ...titles.map((title) => scoredCells[title](each))]);
    return renderTable(columns, rows, { ...look, width }, paint);
  };
  const measured = candidates.some(({ slow }) => slow !== undefined);
  const parts = ["quality", ...(measured ? timed : besides), "score", "chance"] as const;
  const whole = table(Number.POSITIVE_INFINITY, parts);
  if (whole.every((line) => textWidth(line) <= look.width))
    return ["", ...whole, ...wrap(words.legend, look.width).map((line) => look.style.dim(line))];
  const narrow = table(look.width, ["quality", "seen", "cost", "score", "chance"]);
  return ["", ...narrow, ...wrap(words.narrow, look.width).map((line) => look.style.dim(line))];
}

/** Of other agents' programs: their `cost` is that of a run, not of their model's tokens. */
function renderRuns({ candidates }: RouterExplanation, look: Look): string[] {
  return candidates.flatMap(({ arm, program }) => {
    if (program?.run === undefined) return [];
    const text = words.run(safeLine(arm), money(program.run), program.seen);
    return wrap(text, look.width).map((line) => look.style.dim(line));
  });
}

type Candidate = RouterExplanation["candidates"][number];

const scoredCells = {
  quality: (each: Candidate) => `${fixed(each.quality)} (${span(each.interval)})`,
  heuristic: (each: Candidate) => fixed(each.heuristic),
  seen: (each: Candidate) => decimal(each.observations, 1),
  cost: (each: Candidate) => fixed(each.cost),
  weighted: (each: Candidate) => fixed(each.weightedCost),
  scarcity: (each: Candidate) => fixed(each.scarcity),
  switching: (each: Candidate) => fixed(each.switching),
  slow: (each: Candidate) => fixed(each.slow ?? 1),
  score: (each: Candidate) => fixed(each.score),
  chance: (each: Candidate) => percent(each.propensity),
};

const besides = ["heuristic", "seen", "cost", "weighted", "scarcity", "switching"] as const;
const timed = [...besides, "slow"] as const;

function renderExcluded({ excluded }: RouterExplanation, look: Look): string[] {
  if (excluded.length === 0) return [];
  return [
    "",
    words.excluded,
    ...renderPairs(
      excluded.map(({ arm, reason }) => [safeLine(arm), safeLine(reason)] as const),
      look,
    ),
  ];
}

function renderStrategies(strategies: readonly ScoredStrategy[], look: Look): string[] {
  const { strategy, ...titles } = words.strategies;
  const rows = strategies.map((each) => [
    ...[each.strategy, fixed(each.quality), fixed(each.cost), fixed(each.score)],
    each.excluded === undefined ? percent(each.propensity) : safeLine(each.excluded),
  ]);
  const [last = "", ...numbers] = Object.values(titles).toReversed();
  const columns = [
    { title: strategy },
    ...numbers.toReversed().map(right),
    { title: last, flexible: true, wraps: true },
  ];
  return renderTable(columns, rows, look);
}

export function renderSimulation(simulation: Simulation, look: Look): string[] {
  const { policy, ...titles } = words.simulated;
  const { scenario, rounds, arms, seeds } = simulation;
  const rows = simulation.rows.map((row) => [
    ...[row.policy, decimal(row.regret, 1), span(row.interval, 1), percent(row.share)],
    ...[fixed(row.quality), fixed(row.cost)],
  ]);
  const about = words.scenarios[scenario];
  const paint = (cell: string, row: number, column: number) =>
    column === 0 && simulation.rows[row]?.policy === "router" ? look.style.bold(cell) : cell;
  return [
    `${look.style.bold(words.simulation(scenario, rounds, arms, seeds))}${about === undefined ? "" : look.style.dim(` (${about})`)}`,
    ...renderTable([{ title: policy }, ...Object.values(titles).map(right)], rows, look, paint),
  ];
}
