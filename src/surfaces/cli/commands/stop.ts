// The kill switch from another terminal: asks a run to end, waits, ends it by force, says what became of it.
import type { Client } from "../../../protocol/client.ts";
import { Exit } from "../../../protocol/exit.ts";
import type { RunRow } from "../../../protocol/run.ts";
import { confirm } from "../host/ask.ts";
import type { Context } from "../host/context.ts";
import { asFault, usageFault } from "../host/failure.ts";
import { safeLine } from "../text/safe-text.ts";
import type { Look } from "../text/style.ts";
import { renderTable } from "../text/table.ts";
import { phrases } from "../../phrases/phrases.ts";
import type { Define, Run } from "../host/grammar.ts";
import { plural } from "../text/amounts.ts";

export const words = phrases("stop", {
  help: {
    listRuns: "only list what runs",
    allRuns: "everything of this project, unasked",
    runsEverywhere: "with --all or --list: of your other projects, too",
    forceStop: "end it by force at once",
  },
  lesson: {
    examples: [
      ["fettle stop", "shows what runs in this project, and asks; tasks can be resumed later"],
      ["fettle stop 20261122-8b8c77", "one session, wherever it runs; the beginning of its id is enough"],
      ["fettle stop --all", "everything of this project, unasked"],
      ["fettle stop --all --everywhere --force", "everything of yours on this machine, at once"],
      ["fettle task abandon 80ab", "end a task for good; its branch is left"],
      ["fettle agents cancel explorer-1", "one subagent; its session goes on"],
    ],
    exits: [
      ["0", "stopped, or nothing runs"],
      ["1", "something still runs, or you said no"],
      ["2", "no such session, or nobody there to say which"],
    ],
  },
  none: "Nothing of fettle's runs here.",
  noneEverywhere: "Nothing of fettle's runs.",
  session: "session",
  process: "process",
  state: "state",
  where: "folder",
  title: "title",
  states: { running: "running", dead: "left behind", unreadable: "not known" },
  outcomes: {
    stopped: "stopped",
    killed: "ended by force",
    cleaned: "cleared what it left behind",
    running: "still running",
    forbidden: "another user's: not stopped",
    unreadable: "not known",
  },
  unknown: (session: string) => `No process works on session ${session}.`,
  unknownRemedy: (all: boolean) =>
    all ? "Everything of this project: fettle stop --all" : "List them: fettle stop --list",
  several: (start: string, count: number) => `${count} sessions that are at work begin with ${start}; say which one.`,
  unnamed: (count: number) => `${plural(count, "run")} would end; say which one, or all.`,
  /** `all`: the flags that would end all of them. */
  which: (sessions: readonly string[], ...all: readonly string[]) =>
    [...sessions.filter((id) => id !== ""), ...all].map((words) => `fettle stop ${words}`).join("\n"),
  ask: (count: number) => (count === 1 ? "End it?" : `End all ${count}?`),
  refused: "Nothing was ended.",
  both: "Give a session or --all, not both.",
  bothRemedy: "List what runs: fettle stop --list",
});

export const define: Define = (command, start) =>
  start<StopFlags>(
    command
      .option("--list", words.help.listRuns)
      .option("--all", words.help.allRuns)
      .option("--everywhere", words.help.runsEverywhere)
      .option("--force", words.help.forceStop),
    stopRuns,
    { lesson: words.lesson },
  );

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
  if (which === undefined) return [...rows];
  const known = rows.filter(({ state }) => state !== "unreadable");
  const exactly = known.filter(({ session }) => session === which);
  if (exactly.length > 0) return exactly;
  const found = which.length < 4 ? [] : known.filter(({ session }) => session.startsWith(which));
  const sessions = [...new Set(found.map(({ session }) => session))];
  if (sessions.length > 1) throw usageFault(words.several(safeLine(which), sessions.length), words.which(sessions));
  if (sessions.length === 0) throw usageFault(words.unknown(safeLine(which)), words.unknownRemedy(which === "all"));
  return found;
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

interface StopFlags {
  list?: true;
  all?: true;
  /** In the other projects, too. */
  everywhere?: true;
  force?: true;
}

/** `which`: a session, or the beginning of its id; without it, whatever runs in this project. */
const stopRuns: Run<StopFlags> = (context, [which], { list, all, force, ...flags }) =>
  context.with({ headless: true }, async (client) => {
    if (which !== undefined && all) throw usageFault(words.both, words.bothRemedy);
    const everywhere = which !== undefined || flags.everywhere === true;
    const chosen = wanted(await client.read("runs.list", { everywhere }), which);
    if (list || chosen.length === 0) {
      if (context.options.json) context.json(chosen);
      else if (chosen.length === 0) context.out.line(everywhere ? words.noneEverywhere : words.none);
      else context.lines(statesOf(chosen, context.look()));
      return Exit.done;
    }
    if (which === undefined && !all && !(await agreed(context, chosen, everywhere))) return Exit.failed;
    const stopped = await Promise.all(chosen.map((row) => stopOne(client, row, force === true)));
    if (context.options.json) context.json(stopped);
    else {
      const outcome = (_row: RunRow, at: number) => words.outcomes[stopped[at]?.outcome ?? "running"];
      context.lines(render(chosen, context.look(), outcome));
    }
    const left = stopped.some(({ outcome }) => ["running", "forbidden", "unreadable"].includes(outcome));
    return left ? Exit.failed : Exit.done;
  });

const statesOf = (rows: readonly RunRow[], look: Look): string[] =>
  render(rows, look, (row) => words.states[row.state]);

/** Whoever names nothing sees what there is, and says yes to it. */
async function agreed(context: Context, rows: readonly RunRow[], everywhere: boolean): Promise<boolean> {
  const sessions = rows.map(({ session }) => session);
  if (!context.interactive || context.options.json)
    throw usageFault(words.unnamed(rows.length), words.which(sessions, everywhere ? "--all --everywhere" : "--all"));
  context.lines(statesOf(rows, context.look()));
  if (await confirm(context, words.ask(rows.length))) return true;
  context.out.line(words.refused);
  return false;
}
