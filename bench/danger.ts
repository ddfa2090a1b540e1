// Dangerous commands, executed: bare in a throw-away world, where only what harms a canary counts, and then by the built
// program at autonomy 2, as they are and hidden in a program. docs/guide/benchmarks.md says what is published.
import { setTimeout as sleep } from "node:timers/promises";
import { writeFileSync } from "node:fs";
import os from "node:os";
import { buildOnce } from "../test/support/program.ts";
import { type Became, guarded } from "./danger/by-fettle.ts";
import type { Told } from "./danger/children/driver.ts";
import { type Dangerous, dangerousCommands, neverRun } from "./danger/corpus.ts";
import { portsIn } from "./danger/listeners.ts";
import { type Driver, noWorlds, startDriver } from "./danger/outer.ts";

interface Row extends Dangerous {
  told: Told;
}

/** One more than there are processors: most commands only wait. */
const workers = os.availableParallelism() + 1;

async function tellAll(commands: readonly Dangerous[]): Promise<Row[]> {
  const begin = { ports: portsIn(commands.map(({ command }) => command)), fettle: guarded };
  const queue = [...commands];
  const rows: Row[] = [];
  const started = Date.now();
  const work = async (): Promise<void> => {
    let driver: Driver = await startDriver(begin);
    for (let next = queue.shift(); next; next = queue.shift()) {
      const late = sleep(120_000, undefined, { ref: false });
      const told = await Promise.race([driver.ask({ command: next.command }), late]);
      rows.push({ ...next, told: told ?? { ...nothing, error: "its world was lost" } });
      if (!told) {
        driver.close();
        driver = await startDriver(begin);
      }
      if (process.stderr.isTTY) process.stderr.write(`\r${rows.length} of ${commands.length}, ${seconds(started)} s `);
    }
    driver.close();
  };
  await Promise.all(Array.from({ length: workers }, work));
  return rows;
}

const nothing: Told = { bare: { harms: [], changes: false }, ms: { bare: 0, fettle: 0 } };
const seconds = (since: number): number => Math.round((Date.now() - since) / 1000);
const counts = ({ told }: Row): boolean => told.bare.harms.length > 0;

function grouped(rows: readonly Row[], keysOf: (row: Row) => readonly string[]): [string, Row[]][] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) for (const key of new Set(keysOf(row))) groups.set(key, [...(groups.get(key) ?? []), row]);
  return [...groups].toSorted((a, b) => b[1].length - a[1].length || (a[0] < b[0] ? -1 : 1));
}

const words: readonly Became[] = ["denied", "asked", "contained", "ran", "lost"];

function line(name: string, rows: readonly Row[]): string {
  const of = (way: "plain" | "hidden", word: Became) => rows.filter(({ told }) => told.fettle?.[way] === word).length;
  const cells = words.flatMap((word) => [of("plain", word), of("hidden", word)]);
  const harmed = rows.filter(({ told }) => (told.fettle?.harms.length ?? 0) > 0).length;
  const numbers = [rows.length, ...words.map((_, at) => `${cells[2 * at]}/${cells[2 * at + 1]}`), harmed];
  return `  ${name.padEnd(22)}${numbers.map((each) => String(each).padStart(11)).join("")}`;
}

function report(rows: readonly Row[], skipped: readonly Dangerous[], tookSeconds: number): string {
  const counting = rows.filter(counts);
  const run = rows.filter(({ told }) => told.fettle);
  const head = ["counting", ...words.map((word) => word), "harmed"].map((each) => each.padStart(11)).join("");
  const changed = run.filter(({ told }) => (told.fettle?.changed ?? 0) > 0);
  const left = changed.filter(({ told }) => (told.fettle?.left.length ?? 0) > 0);
  const harmed = run.filter(({ told }) => (told.fettle?.harms.length ?? 0) > 0);
  const failed = rows.filter(({ told }) => told.error !== undefined);
  const lost = run.filter(({ told }) => told.fettle?.plain === "lost" || told.fettle?.hidden === "lost");
  const wrong = (title: string, of: readonly Row[], tell: (row: Row) => unknown): string[] =>
    of.slice(0, 25).map((row) => `  ${title}: ${JSON.stringify(row.command)}: ${JSON.stringify(tell(row))}`);
  return [
    `danger: ${rows.length} commands executed bare in throw-away worlds, ${counting.length} of them harm a canary and count (${tookSeconds} s, ${workers} at once)`,
    `  ${run.length - counting.length} more change files of the workspace only; ${skipped.length} were not executed: ${reasons(skipped)}`,
    "  by fettle at autonomy 2, nobody there to answer; each as it is / hidden in a program of the workspace:",
    `  ${"what it harms bare".padEnd(22)}${head}`,
    ...grouped(counting, ({ told }) => told.bare.harms.map(({ kind }) => kind)).map(([name, of]) => line(name, of)),
    line("all", counting),
    `  ${"corpus".padEnd(22)}`,
    ...grouped(counting, ({ corpus }) => [corpus]).map(([name, of]) => line(name, of)),
    `  canaries harmed: by ${harmed.length} of ${run.length} commands that fettle was asked for (${2 * run.length} calls)`,
    `  workspaces changed: by ${changed.length}, brought back by \`fettle rewind\`: ${changed.length - left.length}`,
    ...wrong("HARMED", harmed, ({ told }) => told.fettle?.harms.slice(0, 4)),
    ...wrong("NOT BROUGHT BACK", left, ({ told }) => [told.fettle?.left.slice(0, 6), told.fettle?.problem]),
    ...wrong("lost", lost, ({ told }) => told.fettle?.problem),
    ...wrong("failed", failed, ({ told }) => told.error),
  ].join("\n");
}

const reasons = (skipped: readonly Dangerous[]): string =>
  [...new Set(skipped.map(neverRun))]
    .map((why) => `${skipped.filter((each) => neverRun(each) === why).length} because ${why}`)
    .join("; ") || "none";

export async function dangerBench(most: number): Promise<string> {
  const why = noWorlds();
  if (why !== undefined) return `danger: not run, as ${why}`;
  await buildOnce();
  const all = dangerousCommands().slice(0, most);
  const skipped = all.filter((each) => neverRun(each) !== undefined);
  const started = Date.now();
  const rows = await tellAll(all.filter((each) => neverRun(each) === undefined));
  const file = process.env["BENCH_ROWS"];
  if (file !== undefined) writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  return report(rows, skipped, seconds(started));
}
