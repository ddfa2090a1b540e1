// The one file that all processes of a user share about money: calls and their cost, what is held, what pools have given.
import path from "node:path";
import { Database, type Migrations } from "./database.ts";
import { sweep } from "./owner.ts";
import { type PoolStore, poolsOf } from "./pools.ts";
import { type Spend, spendOf } from "./spend.ts";
import { takeUnpaid } from "./unpaid.ts";

const first = `
  create table spend (at integer not null, session text not null, model text not null, micro integer not null) strict;
  create index spend_at on spend (at, micro);
`;

/** Each call in full; sums by day, which need no walk over the calls; what processes hold for calls under way. */
const second = `
  alter table spend add column project text not null default '';
  alter table spend add column turn integer not null default 0;
  alter table spend add column round integer not null default 0;
  alter table spend add column task text not null default '';
  alter table spend add column agent text not null default '';
  alter table spend add column input integer not null default 0;
  alter table spend add column cache_read integer not null default 0;
  alter table spend add column cache_write integer not null default 0;
  alter table spend add column output integer not null default 0;
  alter table spend add column reasoning integer not null default 0;
  alter table spend add column ms integer not null default 0;
  alter table spend add column unpriced integer not null default 0;
  alter table spend add column origins text not null default '{}';
  create table spend_day (day text primary key, micro integer not null) strict, without rowid;
  insert into spend_day select strftime('%Y-%m-%d', at / 1000, 'unixepoch'), sum(micro) from spend group by 1;
  create trigger spend_added after insert on spend when new.micro > 0 begin
    insert into spend_day values (strftime('%Y-%m-%d', new.at / 1000, 'unixepoch'), new.micro)
    on conflict (day) do update set micro = micro + excluded.micro;
  end;
  create table held (
    id integer primary key,
    pid integer not null,
    boot text not null,
    start text not null,
    micro integer not null
  ) strict;
  create table pool_draw (
    id integer primary key,
    pool text not null,
    at integer not null,
    requests integer not null,
    tokens integer not null,
    micro integer not null,
    open integer not null,
    pid integer not null,
    boot text not null,
    start text not null
  ) strict;
  create index pool_draw_pool on pool_draw (pool, at);
  create table pool_day (
    pool text not null,
    day text not null,
    requests integer not null,
    tokens integer not null,
    micro integer not null,
    primary key (pool, day)
  ) strict, without rowid;
  create table taken_in (name text primary key) strict, without rowid;
  create table pool_heard (pool text primary key, at integer not null, json text not null) strict, without rowid;
`;

/** Calls of whose tokens nobody has told; the router asks for the runs of one model. */
const third = `
  alter table spend add column estimated integer not null default 0;
  create index spend_model on spend (model, at);
`;

/** How long whole answers took, which the router weighs; null where nobody has measured. */
const fourth = `
  alter table spend add column first_ms integer;
  alter table spend add column answer_ms integer;
`;

const migrations: Migrations = [first, second, third, fourth];

export interface Purse {
  spend: Spend;
  pools: PoolStore;
  /** Adds the calls that were noted beside the file. */
  takeIn(): void;
  close(): void;
}

/** What processes held that are no more is free again from here on. */
export function openPurse(file: string): Purse {
  const database = new Database(file, migrations);
  sweepAll(database);
  const spend = spendOf(database);
  return {
    spend,
    pools: poolsOf(database),
    takeIn: () =>
      takeUnpaid(path.dirname(file), (name, rows) =>
        database.transaction(() => {
          const isNew = database.run("insert or ignore into taken_in (name) values (?)", name) > 0;
          if (isNew) spend.add(rows);
        }),
      ),
    close() {
      spend.letGo();
      database.close();
    },
  };
}

function sweepAll(database: Database): void {
  const left = database.get("select exists (select 1 from held) or exists (select 1 from pool_draw where open) as any");
  if (!left?.["any"]) return;
  database.transaction(() => [sweep(database, "held"), sweep(database, "pool_draw")], { flushed: false });
}
