// Money spent by this user, over all projects: the file is opened only when a limit, a pool or a bill asks for it.
import path from "node:path";
import { digestOf } from "../../base/digest.ts";
import { CacheWatch } from "../../engine/budget/cache-watch.ts";
import { type BudgetNode, openBudget, type SharedMoney } from "../../engine/budget/node.ts";
import { originsOf } from "../../engine/budget/origins.ts";
import type { Session } from "../../engine/session/session.ts";
import { makePrivateFolder } from "../../io/places/places.ts";
import { openPurse, type Purse } from "../../io/store/purse.ts";
import type { PeriodRefusal, SpendRow } from "../../io/store/spend.ts";
import { noteUnpaid } from "../../io/store/unpaid.ts";
import type { FactOf } from "../../protocol/event.ts";
import type { Usage } from "../../protocol/message.ts";
import type { ModelRequest } from "../../protocol/request.ts";
import type { Program } from "../program/program.ts";

/** Micro-dollars; undefined: no limit. */
export interface MoneyLimits {
  session: number | undefined;
  day: number | undefined;
  month: number | undefined;
  phase: number | undefined;
  task: number | undefined;
  wave: number | undefined;
  subagent: number | undefined;
  /** True when nobody has set any of them: they are fettle's own defaults. */
  usual?: boolean;
}

/** Whose call it was: strings are empty where it is the session's own. */
interface Spender {
  session: Session;
  task: string;
  agent: string;
}

export interface Money {
  /** The node of a session, below the day and the month of all. `limits` is asked at each call. */
  budget(session: Session, limits: () => MoneyLimits): BudgetNode;
  record(spender: Spender, round: FactOf<"round.ended">, request: ModelRequest): void;
  /** A run of another agent's program: many calls of which only the sum is known. */
  recordRun(
    spender: Spender,
    run: { model: string; usage: Usage; cost: number | null; turn: number; estimated: boolean },
  ): void;
  /** The day and the month of all, for calls that belong to no session. */
  root(limits: () => Pick<MoneyLimits, "day" | "month" | "usual">): BudgetNode;
  /** `what` stands for the session that it has none of. */
  recordOther(call: { what: string; model: string; usage: Usage; cost: number | null; ms: number }): void;
  /** Micro-dollars since the first of this month, UTC. */
  month(): number;
  /** Micro-dollars of this day, UTC. */
  day(): number;
  purse(): Purse;
  close(): void;
}

export const spendFile = ({ places }: Pick<Program, "places">): string => path.join(places.state, "spend.db");

/** Calls that cost nothing are written together: nothing is waiting for them. */
const together = 20;

export function openMoney(program: Program): Money {
  let purse: Purse | undefined;
  const opened = (): Purse => {
    if (!purse) {
      makePrivateFolder(program.places.state);
      purse = openPurse(spendFile(program));
    }
    return purse;
  };
  let unwritten: (() => SpendRow)[] = [];
  const write = (): void => {
    const rows = unwritten.map((row) => row());
    unwritten = [];
    if (rows.length === 0) return;
    if (purse || rows.some(({ micro }) => micro)) opened().spend.add(rows);
    else if (noteUnpaid(program.places.state, rows)) opened().takeIn();
  };
  const watches = new WeakMap<Session, CacheWatch>();
  return {
    budget(session, limits) {
      const { rounds, agents } = session.state;
      const spent = [...rounds, ...agents].reduce((sum, { cost }) => sum + (cost ?? 0), 0);
      return openBudget(sharedMoney(opened, limits)).child("session", session.id, () => limits().session, spent);
    },
    record(spender, round, request) {
      if ((program.incognito && !round.cost) || played(program, round.model)) return;
      const at = Date.now();
      unwritten.push(() => rowOf(program, spender, { round, request, at }));
      if (round.cost || unwritten.length >= together) write();
      watchCache(watches, spender.session, { round, request, at });
    },
    recordRun({ session, task, agent }, { model, usage, cost: micro, turn, estimated }) {
      if (program.incognito && !micro) return;
      const place = program.incognito
        ? { session: "incognito", project: "", turn: 0, task: "", agent: "" }
        : { session: session.id, project: program.workspace, turn, task, agent };
      const row = { at: Date.now(), model, ...usage, ms: 0, micro, ...place, round: 0, origins: {}, estimated };
      unwritten.push(() => row);
      write();
    },
    root: (limits) => openBudget(sharedMoney(opened, limits)),
    recordOther({ what, model, usage, cost: micro, ms }) {
      const place = { session: what, project: program.workspace, turn: 0, round: 0, task: "", agent: "" };
      const row = { at: Date.now(), model, ...usage, ms: Math.round(ms), micro, ...place, origins: {} };
      unwritten.push(() => row);
      write();
    },
    month: () => opened().spend.month(Date.now()),
    day: () => opened().spend.day(Date.now()),
    purse: opened,
    close() {
      write();
      purse?.close();
    },
  };
}

/** Nobody was asked: a recording gave the answer. */
function played({ config }: Program, model: string): boolean {
  const provider = model.slice(0, model.indexOf("/"));
  return (config().settings.providers[provider]?.type ?? provider) === "recorded";
}

interface Ended {
  round: FactOf<"round.ended">;
  request: ModelRequest;
  at: number;
}

function rowOf({ incognito, workspace }: Program, { session, task, agent }: Spender, ended: Ended): SpendRow {
  const { round, at } = ended;
  const { model, usage, cost: micro, ms = 0 } = round;
  const { latency } = round;
  const bare = {
    ...{ at, model, ...usage, ms, micro },
    ...(latency && { latency }),
    ...(round.estimated && { estimated: true }),
  };
  // What an incognito session did is nobody's business, what it cost is.
  if (incognito)
    return { ...bare, session: "incognito", project: "", turn: 0, round: 0, task: "", agent: "", origins: {} };
  const place = { session: session.id, project: workspace, turn: round.turn, round: round.round, task, agent };
  return { ...bare, ...place, origins: originsOf(ended.request) };
}

function watchCache(watches: WeakMap<Session, CacheWatch>, session: Session, { round, request, at }: Ended): void {
  const watch = watches.get(session) ?? new CacheWatch();
  watches.set(session, watch);
  const { model, usage } = round;
  const text = watch.sees({ at, model, usage, prefix: () => digestOf([request.system, request.tools]) });
  if (text !== undefined) session.append({ type: "notice.given", code: "cache.cold", level: "warning", text });
}

/** The day and the month of all processes. A process that nobody limits asks nobody, and opens nothing. */
function sharedMoney(opened: () => Purse, limits: () => Pick<MoneyLimits, "day" | "month" | "usual">): SharedMoney {
  const limited = (): boolean => limits().month !== undefined || limits().day !== undefined;
  const refusal = ({ period, left }: PeriodRefusal) => ({ refused: { kind: period, id: period }, left });
  let held = 0;
  return {
    limited,
    usual: () => limits().usual === true,
    left: () => (limited() ? opened().spend.left(limits(), Date.now()).left : Number.POSITIVE_INFINITY),
    hold(more) {
      // What was held while there was a limit is given back also without one.
      if (!limited() && held <= 0) return undefined;
      const refused = opened().spend.hold(more, limits(), Date.now());
      if (!refused) held += more;
      return refused && refusal(refused);
    },
  };
}

/** US dollars of the configuration to micro-dollars; 0 is no limit. */
export const limitOf = (dollars: number): number | undefined => (dollars > 0 ? Math.round(dollars * 1e6) : undefined);
