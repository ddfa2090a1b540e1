// A change of rows in two steps that share one statement: `rehearse` runs it, tells the rows and takes it back; `change`
// runs it again and keeps it only where it touches exactly the rows that a person was shown.
import { setTimeout as sleep } from "node:timers/promises";
import { canonical } from "../../../base/canonical.ts";
import { sha256 } from "../../../base/digest.ts";
import type { Json } from "../../../protocol/message.ts";
import { type BuiltInReply, PluginProblem, textOf, textReply } from "../serving/spec.ts";
import type { Cells, Shown, Touched } from "./spec.ts";

export interface ChangeWish {
  database: unknown;
  sql: string;
}

/** Runs the statement in a transaction, which is kept where `keep` says so of what it has touched. */
type Attempt = (wish: ChangeWish, keep: (touched: Touched) => boolean) => Promise<Touched>;

/** Longer than the step of the coarsest clock that a statement reads. */
const clockMs = 1_100;
const shownRows = 60;

export const anyChange = (tool: string): tool is "rehearse" | "change" => tool === "rehearse" || tool === "change";

export const openChanges =
  (attempt: Attempt) =>
  async (tool: "rehearse" | "change", input: { [name: string]: unknown }): Promise<BuiltInReply> => {
    const wish: ChangeWish = { database: input["database"], sql: textOf(input, "sql") };
    if (tool === "rehearse") return rehearsed(attempt, wish);
    const shown = shownIn(input["shown"]);
    if (!shown) throw new PluginProblem("Nobody has been shown the rows of this change.");
    let same = false;
    const touched = await attempt(wish, (now) => (same = digestOf(now, shown.unstable) === shown.digest));
    if (!same) throw new PluginProblem("It would touch other rows than those that were shown, so nothing was changed.");
    return textReply(`Done: ${countsText(touched)}.`);
  };

/** Twice, so that what a clock or a counter decides is known apart from what the statement says. */
async function rehearsed(attempt: Attempt, wish: ChangeWish): Promise<BuiltInReply> {
  const first = await attempt(wish, () => false);
  await sleep(clockMs);
  const second = await attempt(wish, () => false);
  const unstable = unstableOf(first, second);
  const digest = digestOf(second, unstable);
  if (digest !== digestOf(first, unstable))
    throw new PluginProblem("It touches other rows each time that it runs, so nobody can be shown which.");
  const text = [`It would be: ${countsText(second)}.`, ...rowLines(second, new Set(unstable))].join("\n");
  const shown: Shown = { digest, unstable };
  return {
    parts: [
      { type: "text", text },
      { type: "text", text: JSON.stringify(shown) },
    ],
  };
}

function shownIn(given: unknown): Shown | undefined {
  if (typeof given !== "object" || given === null) return undefined;
  const { digest, unstable } = given as Partial<Record<keyof Shown, unknown>>;
  if (typeof digest !== "string" || !Array.isArray(unstable)) return undefined;
  return { digest, unstable: unstable.map(String) };
}

const place = (row: number, column: string): string => `${row} ${column}`;

function unstableOf(first: Touched, second: Touched): string[] {
  return first.rows.flatMap(({ after = {} }, at) =>
    Object.keys(after).flatMap((column) =>
      after[column] === second.rows[at]?.after?.[column] ? [] : [place(at, column)],
    ),
  );
}

function digestOf({ tables, rows }: Touched, unstable: readonly string[]): string {
  const left = new Set(unstable);
  const stable = (cells: Cells | undefined, at: number): Json =>
    cells ? Object.fromEntries(Object.entries(cells).filter(([column]) => !left.has(place(at, column)))) : null;
  const told = rows.map(
    ({ table, before, after }, at): Json => ({
      ...{ table, before: before ? { ...before } : null, after: stable(after, at) },
    }),
  );
  return sha256(canonical({ tables: tables.map((each): Json => ({ ...each })), rows: told }));
}

function countsText({ tables }: Touched): string {
  const counts = tables.flatMap(({ name, inserted, updated, deleted }) => [
    ...(inserted > 0 ? [`${inserted} inserted into ${name}`] : []),
    ...(updated > 0 ? [`${updated} updated in ${name}`] : []),
    ...(deleted > 0 ? [`${deleted} deleted from ${name}`] : []),
  ]);
  return counts.join(", ") || "no row is touched";
}

function rowLines({ rows }: Touched, unstable: ReadonlySet<string>): string[] {
  const lines = rows.slice(0, shownRows).map(({ table, before, after }, at) => {
    const text = (value: string | null | undefined) => (value === null || value === undefined ? "NULL" : cut(value));
    const is = (column: string, value: string | null | undefined) =>
      unstable.has(place(at, column)) ? "(decided when it runs)" : text(value);
    if (!after) return `- ${table} ${cells(before ?? {}, (_, value) => text(value))}`;
    if (!before) return `+ ${table} ${cells(after, is)}`;
    return `~ ${table} ${cells(after, (column, value) => (before[column] === value ? text(value) : `${text(before[column])} -> ${is(column, value)}`))}`;
  });
  return rows.length > shownRows
    ? [...lines, `(${rows.length - shownRows} more rows, which are bound all the same)`]
    : lines;
}

const cells = (of: Cells, text: (column: string, value: string | null) => string): string =>
  Object.entries(of)
    .map(([column, value]) => `${column}=${text(column, value)}`)
    .join("  ");

const cut = (value: string): string => {
  const line = value.replace(/\s+/g, " ");
  return line.length > 120 ? `${line.slice(0, 120)}…` : line;
};
