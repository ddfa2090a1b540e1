// The kill switch from another terminal: asks a run to end, waits, ends it by force, says what became of it.
import type { Client } from "../../../protocol/client.ts";
import { Exit } from "../../../protocol/exit.ts";
import type { RunRow } from "../../../protocol/run.ts";
import type { Context } from "../context.ts";
import { asFault, usageFault } from "../failure.ts";
import { safeLine } from "../render/safe-text.ts";
import type { Look } from "../render/style.ts";
import { renderTable } from "../render/table.ts";
import { stop as words } from "../words/stop.ts";

/** A run ends in order within 10 s, and its processes within 5 s more, twice where there are background ones. */
const patienceMs = 22_000;
const forceMs = 5_000;
const lookMs = 100;

interface Stopped extends RunRow {
  outcome: keyof typeof words.outcomes;
  ms: number;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const same = (a: RunRow, b: RunRow): boolean => a.project === b.project && a.session === b.session && a.pid === b.pid;

async function runs(client: Client, row: RunRow): Promise<boolean> {
  const rows = await client.read("runs.list", { everywhere: true });
  return rows.some((each) => same(each, row) && each.state === "running");
}

async function gone(client: Client, row: RunRow, withinMs: number): Promise<boolean> {
  const until = performance.now() + withinMs;
  while (await runs(client, row)) {
    if (performance.now() > until) return false;
    await pause(lookMs);
  }
  return true;
}

async function stopOne(client: Client, row: RunRow, force: boolean): Promise<Stopped> {
  const started = performance.now();
  const became = (outcome: Stopped["outcome"]): Stopped => ({
    ...row,
    outcome,
    ms: Math.round(performance.now() - started),
  });
  if (row.state === "unreadable") return became("unreadable");
  const end = (forced: boolean) =>
    client.send({ type: "run.end", project: row.project, session: row.session, force: forced });
  try {
    await end(force || row.state === "dead");
    if (row.state === "dead") return became("cleaned");
    if (!force && (await gone(client, row, patienceMs))) return became("stopped");
    if (!force) await end(true);
    if (!(await gone(client, row, forceMs))) return became("running");
    return became("killed");
  } catch (error) {
    const fault = asFault(error);
    if (fault?.code === "run.forbidden") return became("forbidden");
    // It ended by itself in between.
    if (fault?.code === "run.unknown") return became("stopped");
    throw error;
  }
}

function wanted(rows: readonly RunRow[], which: string | undefined): RunRow[] {
  if (which === undefined || which === "all") return [...rows];
  const known = rows.filter(({ state }) => state !== "unreadable");
  const found = known.filter((row) => row.session === which || (which.length >= 4 && row.session.startsWith(which)));
  if (found.length > 0) return found;
  throw usageFault(words.unknown(which), words.unknownRemedy);
}

function render(rows: readonly RunRow[], look: Look, last: (row: RunRow, at: number) => string): string[] {
  const titles = [words.session, words.process, words.state, words.where].map((title) => ({ title }));
  const cells = rows.map((row, at) => [
    row.session,
    row.pid === 0 ? "" : String(row.pid),
    last(row, at),
    safeLine(row.workspace || row.project),
    safeLine(row.title),
  ]);
  return renderTable([...titles, { title: words.title, flexible: true }], cells, look);
}

/** `which`: a session, `all` for every project of this user, or nothing for all of this project. */
export const stopRuns = (
  context: Context,
  which: string | undefined,
  { list, force }: { list: boolean; force: boolean },
): Promise<number> =>
  context.with({ headless: true }, async (client) => {
    const rows = await client.read("runs.list", { everywhere: which !== undefined });
    const chosen = wanted(rows, which);
    if (list || chosen.length === 0) {
      if (context.options.json) context.json(chosen);
      else if (chosen.length === 0) context.out.line(which === undefined ? words.none : words.noneEverywhere);
      else context.lines(render(chosen, context.look(), (row) => words.states[row.state]));
      return Exit.done;
    }
    const stopped = await Promise.all(chosen.map((row) => stopOne(client, row, force)));
    if (context.options.json) context.json(stopped);
    else {
      const outcome = (_row: RunRow, at: number) => words.outcomes[stopped[at]?.outcome ?? "running"];
      context.lines(render(chosen, context.look(), outcome));
    }
    const left = stopped.some(({ outcome }) => ["running", "forbidden", "unreadable"].includes(outcome));
    return left ? Exit.failed : Exit.done;
  });
