// What the router has seen, user-wide and shared by processes: counts that fade, and the log of decisions.
import { existsSync, renameSync } from "node:fs";
import { canonical } from "../../base/canonical.ts";
import { sha256 } from "../../base/digest.ts";
import { Fault } from "../../base/fault.ts";
import type { RouterOutcome, RouterProfile, StrategyName, TaskType } from "../../protocol/router.ts";
import { Database, type Row } from "./database.ts";

/** `key`: an arm, or the name of a strategy. */
interface CountsKey {
  kind: "arm" | "strategy";
  key: string;
  type: TaskType;
}

export interface CountsRow extends CountsKey {
  good: number;
  bad: number;
  n: number;
  at: number;
  round: number;
  outcome: RouterOutcome;
}

/** One choice. No word of the prompt is in it. */
export interface DecisionRow {
  id: string;
  at: number;
  session: string;
  turn: number;
  /** Of a task: decisions of its missions are judged when it ends. */
  mission?: string;
  type: TaskType;
  complexity: number;
  profile: RouterProfile;
  /** Named by the person: nothing was drawn. */
  pinned?: boolean;
  chosen: string;
  propensities: Record<string, number>;
  strategy: StrategyName;
  /** Others went on with it: what this arm came to is not what the strategy came to. */
  part?: boolean;
  strategyPropensities?: Record<string, number>;
  judged?: { outcome: RouterOutcome; reward: number; weight: number; at: number; round: number };
}

/** Throws Faults only (see Database). */
export interface RouterStore {
  /** What was set aside because it was damaged, once, for people. */
  readonly notices: readonly string[];
  /** Runs `work` alone among all processes; all of what it writes stands, or nothing. */
  alone<T>(work: () => T): T;
  counts(): CountsRow[];
  countsOf(key: CountsKey): CountsRow | undefined;
  putCounts(row: CountsRow): void;
  /** Judged pieces of work so far. */
  rounds(): number;
  setRounds(rounds: number): void;
  /** Writes or replaces it. */
  putDecision(row: DecisionRow): void;
  /** Newest first. */
  decisionsOf(session: string): DecisionRow[];
  /** Newest first. */
  decisions(limit: number): DecisionRow[];
  totals(): { total: number; judged: number };
  /** Forgets counts, and how the decisions that they came from were judged; answers how many counts there were. */
  reset(which: { arm?: string; type?: TaskType }): number;
  close(): void;
}

const first = `
  create table counts (
    kind text not null, key text not null, type text not null, json text not null, checksum text not null,
    primary key (kind, key, type)
  ) strict, without rowid;
  create table clock (id integer primary key check (id = 1), rounds integer not null) strict;
  create table decision (
    id text primary key, at integer not null, session text not null, chosen text not null, type text not null,
    judged integer not null, json text not null, checksum text not null
  ) strict, without rowid;
  create index decision_session on decision (session, at);
  create index decision_at on decision (at);
  create table set_aside (at integer not null, json text not null) strict;
`;

/** More would say nothing that has not faded. */
const keptDecisions = 10_000;

/** A damaged file is set aside, and a new one begun. */
export function openRouterStore(file: string, now: number = Date.now()): RouterStore {
  try {
    return new SqliteRouterStore(new Database(file, [first]), []);
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== "store.corrupt") throw error;
    const aside = setAside(file, now);
    const notice = `What the router had learned was damaged and is set aside as ${aside}; it begins anew.`;
    return new SqliteRouterStore(new Database(file, [first]), [notice]);
  }
}

function setAside(file: string, now: number): string {
  const aside = `${file}.broken-${now}`;
  for (const end of ["", "-wal", "-shm"]) if (existsSync(file + end)) renameSync(file + end, aside + end);
  return aside;
}

const checksumOf = (text: string): string => sha256(text).slice(0, 16);

class SqliteRouterStore implements RouterStore {
  readonly notices: string[];
  readonly #database: Database;
  #setAside = 0;

  constructor(database: Database, notices: string[]) {
    this.#database = database;
    this.notices = notices;
  }

  alone<T>(work: () => T): T {
    return this.#database.transaction(work);
  }

  counts(): CountsRow[] {
    return this.#rows<CountsRow>("counts", this.#database.all("select json, checksum from counts"));
  }

  countsOf({ kind, key, type }: CountsKey): CountsRow | undefined {
    const sql = "select json, checksum from counts where kind = ? and key = ? and type = ?";
    return this.#rows<CountsRow>("counts", this.#database.all(sql, kind, key, type))[0];
  }

  putCounts(row: CountsRow): void {
    const json = canonical(row);
    const sql = "insert or replace into counts (kind, key, type, json, checksum) values (?, ?, ?, ?, ?)";
    this.#database.run(sql, row.kind, row.key, row.type, json, checksumOf(json));
  }

  rounds(): number {
    return Number(this.#database.get("select rounds from clock")?.["rounds"] ?? 0);
  }

  setRounds(rounds: number): void {
    this.#database.run("insert or replace into clock (id, rounds) values (1, ?)", rounds);
  }

  putDecision(row: DecisionRow): void {
    const json = canonical(row);
    this.alone(() => {
      this.#database.run(
        "insert or replace into decision (id, at, session, chosen, type, judged, json, checksum) values (?, ?, ?, ?, ?, ?, ?, ?)",
        ...[row.id, row.at, row.session, row.chosen, row.type, row.judged ? 1 : 0, json, checksumOf(json)],
      );
      this.#database.run(
        "delete from decision where at < (select at from decision order by at desc limit 1 offset ?)",
        keptDecisions,
      );
    });
  }

  decisionsOf(session: string): DecisionRow[] {
    const sql = "select json, checksum from decision where session = ? order by at desc, id desc";
    return this.#rows<DecisionRow>("decision", this.#database.all(sql, session));
  }

  decisions(limit: number): DecisionRow[] {
    const sql = "select json, checksum from decision order by at desc, id desc limit ?";
    return this.#rows<DecisionRow>("decision", this.#database.all(sql, limit));
  }

  totals(): { total: number; judged: number } {
    const row = this.#database.get("select count(*) as total, coalesce(sum(judged), 0) as judged from decision");
    return { total: Number(row?.["total"]), judged: Number(row?.["judged"]) };
  }

  reset({ arm, type }: { arm?: string; type?: TaskType }): number {
    const values = [arm ?? null, arm ?? null, type ?? null, type ?? null];
    return this.alone(() => {
      this.#database.run("delete from decision where (? is null or chosen = ?) and (? is null or type = ?)", ...values);
      return this.#database.run(
        "delete from counts where (? is null or (kind = 'arm' and key = ?)) and (? is null or type = ?)",
        ...values,
      );
    });
  }

  close(): void {
    this.#database.close();
  }

  /** Whatever does not fit its checksum is kept where nobody reads it, and told. */
  #rows<T>(table: "counts" | "decision", rows: readonly Row[]): T[] {
    const whole = rows.filter(({ json, checksum }) => checksumOf(String(json)) === checksum);
    if (whole.length < rows.length) this.#removeDamaged(table);
    return whole.map(({ json }) => JSON.parse(String(json)) as T);
  }

  #removeDamaged(table: "counts" | "decision"): void {
    this.alone(() => {
      const all = this.#database.all(`select json, checksum from ${table}`);
      for (const { json, checksum } of all) {
        if (checksumOf(String(json)) === checksum) continue;
        this.#database.run("insert into set_aside (at, json) values (?, ?)", Date.now(), String(json));
        this.#database.run(`delete from ${table} where json = ? and checksum = ?`, String(json), String(checksum));
        this.#setAside += 1;
      }
    });
    const text = "Damaged rows of what the router had learned were set aside; it goes on with the rest.";
    if (this.#setAside > 0 && !this.notices.includes(text)) this.notices.push(text);
  }
}
