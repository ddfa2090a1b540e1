import { closeSync, existsSync, fstatSync, fsyncSync, openSync } from "node:fs";
import path from "node:path";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { Fault } from "../../base/fault.ts";
import { Exit } from "../../protocol/exit.ts";
import { notAFile } from "../files/regular.ts";
import { makePrivateFolder } from "../places/places.ts";

export type Row = Record<string, unknown>;

/** SQL that leads from version n to n + 1, at index n. Never edited once released; a new version is a new member. */
export type Migrations = readonly string[];

const busyMs = 10_000;

/**
 * One SQLite file: write-ahead log, every commit flushed, private to the user, safe for several processes.
 * Every method throws a Fault (`store.corrupt`, `store.unwritable`, `store.busy`, `store.newer`) for what the file or
 * the disk does wrong.
 */
export class Database {
  readonly file: string;
  private readonly handle: DatabaseSync;
  private readonly statements = new Map<string, StatementSync>();
  private inside = false;
  private flushing = true;

  constructor(file: string, migrations: Migrations) {
    this.file = file;
    this.handle = this.guarded(() => openHandle(file));
    closeOnError(this.handle, () => this.guarded(() => this.prepareFile(migrations)));
  }

  all(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.guarded(() => this.statement(sql).all(...values));
  }

  get(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.guarded(() => this.statement(sql).get(...values));
  }

  /** Answers how many rows changed. Outside of a transaction it is a flushed one of its own. */
  run(sql: string, ...values: SQLInputValue[]): number {
    return this.guarded(() => {
      if (!this.inside) this.flush(true);
      return Number(this.statement(sql).run(...values).changes);
    });
  }

  /** Several statements without values, outside of transactions. */
  script(sql: string): void {
    this.guarded(() => {
      this.flush(true);
      this.handle.exec(sql);
    });
  }

  /**
   * Runs `body` alone among all processes; commits unless it throws. `flushed: false` leaves the commit to the next
   * flushed one: it survives a killed process, but not necessarily a power cut.
   */
  transaction<T>(body: () => T, options: { flushed: boolean } = { flushed: true }): T {
    if (this.inside) return body();
    return this.guarded(() => {
      this.flush(options.flushed);
      this.handle.exec("begin immediate");
      this.inside = true;
      try {
        const value = body();
        this.handle.exec("commit");
        return value;
      } catch (error) {
        if (this.handle.isTransaction) this.handle.exec("rollback");
        throw error;
      } finally {
        this.inside = false;
      }
    });
  }

  close(): void {
    if (this.handle.isOpen) this.handle.close();
  }

  private flush(wanted: boolean): void {
    if (wanted === this.flushing) return;
    this.handle.exec(wanted ? "pragma synchronous = full" : "pragma synchronous = normal");
    this.flushing = wanted;
  }

  private statement(sql: string): StatementSync {
    const known = this.statements.get(sql);
    if (known) return known;
    const made = this.handle.prepare(sql);
    this.statements.set(sql, made);
    return made;
  }

  private prepareFile(migrations: Migrations): void {
    this.handle.exec("pragma synchronous = full");
    if (this.version() === migrations.length) return;
    this.handle.exec("begin immediate");
    try {
      this.migrate(migrations);
      this.handle.exec("commit");
    } catch (error) {
      if (this.handle.isTransaction) this.handle.exec("rollback");
      throw error;
    }
  }

  private version(): number {
    const known = this.handle.prepare("select 1 from sqlite_schema where type = 'table' and name = 'migration'").get();
    if (!known) return 0;
    return Number(this.handle.prepare("select coalesce(max(version), 0) as v from migration").get()?.["v"]);
  }

  private migrate(migrations: Migrations): void {
    const from = this.version();
    if (from > migrations.length) {
      throw new Fault(
        "store.newer",
        Exit.integrity,
        `${this.file} was written by a newer fettle (its version is ${from}, this fettle knows ${migrations.length}).`,
        "Update fettle, or move the file aside to begin anew.",
      );
    }
    if (from === 0)
      this.handle.exec("create table migration (version integer primary key, at integer not null) strict");
    for (const [index, sql] of migrations.slice(from).entries()) {
      this.handle.exec(sql);
      this.handle.prepare("insert into migration values (?, ?)").run(from + index + 1, Date.now());
    }
  }

  private guarded<T>(body: () => T): T {
    try {
      return body();
    } catch (error) {
      throw storeFault(error, this.file) ?? error;
    }
  }
}

/** Instead of a file: nothing is written anywhere, and everything goes with the process. */
export const inMemory = ":memory:";

function openHandle(file: string): DatabaseSync {
  if (file === inMemory) return new DatabaseSync(inMemory);
  makePrivateFolder(path.dirname(file));
  for (const each of [file, `${file}-wal`, `${file}-shm`]) {
    const instead = notAFile(each);
    // Opening a pipe waits for somebody at its other end.
    if (instead) throw corrupt(each, `it is ${instead}`);
  }
  const descriptor = openSync(file, "a", 0o600);
  try {
    const isNew = fstatSync(descriptor).size === 0;
    const handle = new DatabaseSync(file, { timeout: busyMs });
    // One flush at the end instead of several on the way; nothing is in the file yet.
    if (isNew) handle.exec("pragma synchronous = off");
    // The change to write-ahead logging takes an exclusive lock that ignores the busy timeout.
    closeOnError(handle, () => retryWhileBusy(() => handle.exec("pragma journal_mode = wal")));
    if (isNew) fsyncSync(descriptor);
    return handle;
  } finally {
    closeSync(descriptor);
  }
}

function closeOnError(handle: DatabaseSync, body: () => void): void {
  try {
    body();
  } catch (error) {
    handle.close();
    throw error;
  }
}

/** The Fault that says what is wrong with the file in `state` data, e.g. a row that does not parse. */
export function corrupt(file: string, detail: string): Fault {
  // A log that is left behind would be taken for the new file's.
  const aside = [file, ...(existsSync(`${file}-wal`) ? [`${file}-wal`] : [])].map(
    (each) => `mv '${each}' '${each}.broken'`,
  );
  return new Fault(
    "store.corrupt",
    Exit.integrity,
    `${file} is damaged (${detail}).`,
    `Put back a copy, or move it aside to begin anew: ${aside.join(" && ")}`,
  );
}

const sqlite = { busy: 5, locked: 6, readonly: 8, io: 10, corrupt: 11, full: 13, cannotOpen: 14, notDatabase: 26 };

function storeFault(error: unknown, file: string): Fault | undefined {
  if (error instanceof Fault || !(error instanceof Error)) return undefined;
  const { errcode, code } = error as Error & { errcode?: number; code?: string };
  if (typeof errcode === "number") return sqliteFault(errcode & 0xff, error.message, file);
  if (code === "ELOOP") return corrupt(file, "it is a link that leads back to itself");
  if (code && /^E[A-Z]+$/.test(code)) return unwritable(file, error.message);
  return undefined;
}

function sqliteFault(code: number, message: string, file: string): Fault | undefined {
  if (code === sqlite.corrupt || code === sqlite.notDatabase) return corrupt(file, message);
  if (code === sqlite.busy || code === sqlite.locked) {
    return new Fault(
      "store.busy",
      Exit.integrity,
      `${file} has been locked by another process for ${busyMs / 1000} seconds.`,
      "Stop the other fettle of this project, then try again.",
    );
  }
  const refused = [sqlite.readonly, sqlite.io, sqlite.full, sqlite.cannotOpen];
  return refused.includes(code) ? unwritable(file, message) : undefined;
}

function unwritable(file: string, detail: string): Fault {
  return new Fault(
    "store.unwritable",
    Exit.integrity,
    `${file} cannot be written (${detail}).`,
    "Free space on the disk, or give yourself write access to its folder.",
  );
}

function retryWhileBusy(body: () => void): void {
  const until = Date.now() + busyMs;
  for (;;) {
    try {
      return body();
    } catch (error) {
      const busy = ((error as { errcode?: number }).errcode ?? 0) & 0xff;
      if (busy !== sqlite.busy || Date.now() > until) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}
