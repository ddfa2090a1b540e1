// What model calls have cost, user-wide, in micro-dollars, and what is held for calls that are under way: limits of a
// month and a day reach across processes and projects.
import type { Usage } from "../../protocol/message.ts";
import type { Database, Row } from "./database.ts";
import { sweep, thisProcess } from "./owner.ts";

/** One call. Strings are empty where nothing is known of it. */
export interface SpendRow {
  at: number;
  session: string;
  project: string;
  turn: number;
  round: number;
  task: string;
  /** Of the agent that made it: empty for the session's own. */
  agent: string;
  model: string;
  input: number;
  cacheRead: number;
  cacheWrite: number;
  output: number;
  reasoning: number;
  ms: number;
  /** Null when the price is unknown. */
  micro: number | null;
  /** Of the input, where it came from, and in bytes how much. */
  origins: Readonly<Record<string, number>>;
  /** Of a whole answer, from the try that brought it: to its first token, and to its end. */
  latency?: { firstMs: number; ms: number };
  /** Nobody has said what it took, or only of a part of it: `micro` is what it probably cost. */
  estimated?: boolean;
}

/** What one subagent has taken altogether. */
export interface AgentRun {
  agent: string;
  model: string;
  calls: number;
  usage: Usage;
}

/** How long a whole answer took, and how many tokens it had. */
export interface AnswerTime {
  firstMs: number;
  ms: number;
  output: number;
}

/** Micro-dollars; undefined: no limit. */
interface PeriodLimits {
  month: number | undefined;
  day: number | undefined;
}
export type PeriodRefusal = { period: "month" | "day"; left: number };

export interface Spend {
  add(rows: readonly SpendRow[]): void;
  /** Without what is held. Days and months are those of UTC. */
  month(now: number): number;
  day(now: number): number;
  /** Oldest first. */
  rows(filter: { since?: number | undefined; session?: string | undefined }): SpendRow[];
  /** Subagents that made a call since then, the newest first, and not more than a thousand. */
  agentRuns(since: number): AgentRun[];
  /** Micro-dollars of the latest runs of another agent's program whose cost is known, newest first. */
  runs(model: string, most: number): number[];
  /** Of the latest answers of a model since then that were measured, newest first. */
  answerTimes(model: string, since: number, most: number): AnswerTime[];
  /** Models of which an answer was measured since then. */
  timedModels(since: number): string[];
  /** What is left under the limits, what others hold counted. */
  left(limits: PeriodLimits, now: number): PeriodRefusal;
  /** Holds that much more (or less, below zero) for this process, unless a limit stands in the way. */
  hold(more: number, limits: PeriodLimits, now: number): PeriodRefusal | undefined;
  /** Gives back everything that is held. */
  letGo(): void;
}

const columns =
  "at, session, project, turn, round, task, agent, model, input, cache_read, cache_write, output, reasoning, ms, micro, unpriced, origins, estimated, first_ms, answer_ms";

export function spendOf(database: Database): Spend {
  let account: number | undefined;
  let own = 0;

  const keep = (more: number): void => {
    own += more;
    if (account === undefined) {
      const { pid, boot, start } = thisProcess();
      const row = database.get(
        "insert into held (pid, boot, start, micro) values (?, ?, ?, ?) returning id",
        ...[pid, boot, start, own],
      );
      account = Number(row?.["id"]);
    } else database.run("update held set micro = ? where id = ?", own, account);
  };
  const period = (from: string): number =>
    Number(database.get("select coalesce(sum(micro), 0) as total from spend_day where day >= ?", from)?.["total"]);
  const month = (now: number): number => period(`${dayOf(now).slice(0, 7)}-01`);
  const day = (now: number): number => period(dayOf(now));
  const left = (limits: PeriodLimits, now: number): PeriodRefusal => {
    const held = Number(database.get("select coalesce(sum(micro), 0) as total from held")?.["total"]);
    const rest = (limit: number | undefined, spent: () => number): number =>
      limit === undefined ? Number.POSITIVE_INFINITY : limit - held - spent();
    const [ofMonth, ofDay] = [rest(limits.month, () => month(now)), rest(limits.day, () => day(now))];
    return ofMonth <= ofDay ? { period: "month", left: ofMonth } : { period: "day", left: ofDay };
  };

  return {
    month,
    day,
    add(rows) {
      const sql = `insert into spend (${columns}) values (${columns.replaceAll(/\w+/g, "?")})`;
      database.transaction(() => rows.forEach((row) => database.run(sql, ...values(row))), { flushed: false });
    },
    rows({ since = 0, session }) {
      const which = session === undefined ? "" : "and session = ?";
      const sql = `select ${columns} from spend where at >= ? ${which} order by at, rowid`;
      return database.all(sql, since, ...(session === undefined ? [] : [session])).map(rowOf);
    },
    agentRuns: (since) => database.all(runsSql, since).map(runOf),
    runs: (model, most) => database.all(programRuns, model, most).map((row) => Number(row["micro"])),
    answerTimes: (model, since, most) =>
      database.all(answersSql, model, since, most).map((row) => ({
        firstMs: Number(row["first_ms"]),
        ms: Number(row["answer_ms"]),
        output: Number(row["output"]),
      })),
    timedModels: (since) => database.all(timedSql, since).map((row) => String(row["model"])),
    left: (limits, now) => database.transaction(() => swept(database, () => left(limits, now), 0), { flushed: false }),
    hold: (more, limits, now) =>
      database.transaction(
        () => {
          const rest = more > 0 ? swept(database, () => left(limits, now), more) : undefined;
          if (rest && more > rest.left) return { ...rest, left: Math.max(0, rest.left) };
          keep(more);
          return undefined;
        },
        { flushed: false },
      ),
    letGo() {
      if (account !== undefined) database.run("delete from held where id = ?", account);
      account = undefined;
      own = 0;
    },
  };
}

/** Its session's rounds are calls of the same name that cost nothing. */
const programRuns = "select micro from spend where model = ? and round = 0 and unpriced = 0 order by at desc limit ?";

const answersSql =
  "select first_ms, answer_ms, output from spend where model = ? and at >= ? and answer_ms is not null order by at desc limit ?";
const timedSql = "select distinct model from spend where at >= ? and answer_ms is not null order by model";

const runsSql = `
  select agent, model, count(*) as calls, sum(input) as input, sum(cache_read) as cacheRead,
    sum(cache_write) as cacheWrite, sum(output) as output, sum(reasoning) as reasoning
  from spend where at >= ? and agent != '' group by session, agent, model order by max(at) desc limit 1000`;

function runOf(row: Row): AgentRun {
  const number = (name: string): number => Number(row[name]);
  const [agent, model] = [String(row["agent"]), String(row["model"])];
  const input = { input: number("input"), cacheRead: number("cacheRead"), cacheWrite: number("cacheWrite") };
  return {
    agent,
    model,
    calls: number("calls"),
    usage: { ...input, output: number("output"), reasoning: number("reasoning") },
  };
}

/** Looked at again without what the dead hold, before it is refused. */
function swept(database: Database, left: () => PeriodRefusal, wanted: number): PeriodRefusal {
  const first = left();
  return wanted > first.left && sweep(database, "held") ? left() : first;
}

export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

const values = (row: SpendRow) => [
  ...[row.at, row.session, row.project, row.turn, row.round, row.task, row.agent, row.model],
  ...[row.input, row.cacheRead, row.cacheWrite, row.output, row.reasoning, row.ms],
  ...[row.micro ?? 0, row.micro === null ? 1 : 0, JSON.stringify(row.origins), row.estimated ? 1 : 0],
  ...[row.latency?.firstMs ?? null, row.latency?.ms ?? null],
];

function rowOf(row: Row): SpendRow {
  const text = (name: string): string => String(row[name]);
  const number = (name: string): number => Number(row[name]);
  return {
    at: number("at"),
    session: text("session"),
    project: text("project"),
    turn: number("turn"),
    round: number("round"),
    task: text("task"),
    agent: text("agent"),
    model: text("model"),
    input: number("input"),
    cacheRead: number("cache_read"),
    cacheWrite: number("cache_write"),
    output: number("output"),
    reasoning: number("reasoning"),
    ms: number("ms"),
    micro: number("unpriced") === 1 ? null : number("micro"),
    origins: JSON.parse(text("origins")) as Record<string, number>,
    ...(number("estimated") === 1 && { estimated: true }),
    ...(row["answer_ms"] !== null && { latency: { firstMs: number("first_ms"), ms: number("answer_ms") } }),
  };
}
