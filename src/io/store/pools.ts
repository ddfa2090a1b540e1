// What was drawn from the pools that all processes of the user share: the last minute call by call, the rest by day.
import type { Database, Row } from "./database.ts";
import { sweep, thisProcess } from "./owner.ts";
import { dayOf } from "./spend.ts";

export interface Draw {
  requests: number;
  tokens: number;
  micro: number;
}
/** `recent`: of the last minute, oldest first. Days and months are those of UTC; what is under way, `open`, counts. */
export interface PoolUse {
  recent: readonly (Draw & { at: number })[];
  day: Draw;
  month: Draw;
  open: Draw;
}

export interface PoolStore {
  use(pool: string, now: number): PoolUse;
  /**
   * Draws `amount` from every pool, or from none: the first that `judge` has an answer about stands in the way. The
   * numbers are for `settle`.
   */
  draw<B>(
    pools: readonly string[],
    amount: Draw,
    judge: (pool: string, use: PoolUse) => B | undefined,
    now: number,
  ): { drawn: number[] } | { blocked: B };
  /** What it really was; undefined: nothing was used. */
  settle(drawn: readonly number[], real: Draw | undefined): void;
  /** What a provider has said of its own limits, as it was kept last. */
  heard(): { name: string; at: number; data: unknown }[];
  hear(name: string, at: number, data: unknown): void;
}

export const minuteMs = 60_000;

export function poolsOf(database: Database): PoolStore {
  const use = (pool: string, now: number): PoolUse => {
    const today = dayOf(now);
    const recent = database.all(
      "select at, requests, tokens, micro from pool_draw where pool = ? and at > ? order by at, id",
      pool,
      now - minuteMs,
    );
    const since = (from: string): Draw => {
      const closed = database.get(`select ${sums} from pool_day where pool = ? and day >= ?`, ...[pool, from]);
      const open = database.get(
        `select ${sums} from pool_draw where pool = ? and open = 1 and at >= ?`,
        ...[pool, Date.parse(from)],
      );
      return added(drawOf(closed), drawOf(open));
    };
    const open = database.get(`select ${sums} from pool_draw where pool = ? and open = 1`, pool);
    return {
      open: drawOf(open),
      recent: recent.map((row) => ({ ...drawOf(row), at: Number(row["at"]) })),
      day: since(today),
      month: since(`${today.slice(0, 7)}-01`),
    };
  };

  return {
    use,
    draw(pools, amount, judge, now) {
      return database.transaction(
        () => {
          const blocked = () => firstOf(pools, (pool) => judge(pool, use(pool, now)));
          let found = blocked();
          if (found !== undefined && sweep(database, "pool_draw")) found = blocked();
          if (found !== undefined) return { blocked: found };
          database.run("delete from pool_draw where open = 0 and at <= ?", now - minuteMs);
          const { pid, boot, start } = thisProcess();
          const drawn = pools.map((pool) => {
            const row = database.get(
              "insert into pool_draw (pool, at, requests, tokens, micro, open, pid, boot, start) " +
                "values (?, ?, ?, ?, ?, 1, ?, ?, ?) returning id",
              ...[pool, now, amount.requests, amount.tokens, amount.micro, pid, boot, start],
            );
            return Number(row?.["id"]);
          });
          return { drawn };
        },
        { flushed: false },
      );
    },
    settle(drawn, real) {
      database.transaction(() => drawn.forEach((id) => settle(database, id, real)), { flushed: false });
    },
    heard: () =>
      database
        .all("select pool, at, json from pool_heard")
        .map((row) => ({ name: String(row["pool"]), at: Number(row["at"]), data: JSON.parse(String(row["json"])) })),
    hear(name, at, data) {
      const sql = "insert or replace into pool_heard (pool, at, json) values (?, ?, ?)";
      database.transaction(() => database.run(sql, name, at, JSON.stringify(data)), { flushed: false });
    },
  };
}

const sums =
  "coalesce(sum(requests), 0) as requests, coalesce(sum(tokens), 0) as tokens, coalesce(sum(micro), 0) as micro";

function settle(database: Database, id: number, real: Draw | undefined): void {
  if (!real) return void database.run("delete from pool_draw where id = ?", id);
  const { requests, tokens, micro } = real;
  const row = database.get(
    "update pool_draw set open = 0, requests = ?, tokens = ?, micro = ? where id = ? returning pool, at",
    ...[requests, tokens, micro, id],
  );
  if (!row) return;
  database.run(
    "insert into pool_day values (?, ?, ?, ?, ?) on conflict (pool, day) do update set " +
      "requests = requests + excluded.requests, tokens = tokens + excluded.tokens, micro = micro + excluded.micro",
    ...[String(row["pool"]), dayOf(Number(row["at"])), requests, tokens, micro],
  );
}

const drawOf = (row: Row | undefined): Draw => ({
  requests: Number(row?.["requests"]),
  tokens: Number(row?.["tokens"]),
  micro: Number(row?.["micro"]),
});

const added = (left: Draw, right: Draw): Draw => ({
  requests: left.requests + right.requests,
  tokens: left.tokens + right.tokens,
  micro: left.micro + right.micro,
});

function firstOf<T, B>(list: readonly T[], find: (each: T) => B | undefined): B | undefined {
  for (const each of list) {
    const found = find(each);
    if (found !== undefined) return found;
  }
  return undefined;
}
