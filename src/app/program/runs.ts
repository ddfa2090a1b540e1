// Runs of fettle in other processes: which there are, and the kill switch for them.
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { Fault } from "../../base/fault.ts";
import { endLeftovers, signalRun } from "../../io/process/runs.ts";
import type { Run } from "../../io/store/lease.ts";
import { openStore, type Store } from "../../io/store/store.ts";
import { Exit } from "../../protocol/exit.ts";
import type { RunRow } from "../../protocol/run.ts";
import { personName } from "./machine.ts";
import type { Program } from "./program.ts";
import type { Session } from "../../engine/session/session.ts";
import type { Ledger } from "../../guard/ledger/ledger.ts";

const folderOf = (program: Program): string => path.join(program.places.state, "projects");

/** Projects that have a state; this one's only, unless `everywhere`. */
export function projects(program: Program, everywhere: boolean): string[] {
  const own = path.basename(program.project.root);
  const all = existsSync(folderOf(program)) ? readdirSync(folderOf(program)) : [];
  return all.filter(
    (name) => (everywhere || name === own) && existsSync(path.join(folderOf(program), name, "state.db")),
  );
}

export function withStore<T>(program: Program, project: string, work: (store: Store) => T): T {
  if (path.basename(program.project.root) === project) return work(program.kept());
  const store = openStore(path.join(folderOf(program), project, "state.db"));
  try {
    return work(store);
  } finally {
    store.close();
  }
}

const rowOf = (project: string, { start: _start, ...run }: Run): RunRow => ({ project, ...run });

/** The state of another project that cannot be read is a row of its own: it keeps nobody from stopping the rest. */
export function listRuns(program: Program, everywhere: boolean): RunRow[] {
  return projects(program, everywhere).flatMap((project): RunRow[] => {
    try {
      return withStore(program, project, (store) =>
        store
          .runs()
          .filter((run) => run.pid !== process.pid)
          .map((run) => rowOf(project, run)),
      );
    } catch (error) {
      if (!(error instanceof Fault) || !everywhere) throw error;
      return [{ project, session: "", title: error.message, workspace: "", pid: 0, state: "unreadable" }];
    }
  });
}

/**
 * Asks the process of a run to end, or ends it by force, with everything that it left. Only a process that its lease
 * proves to be fettle's is signalled. Throws a Fault.
 */
export function endRun(program: Program, { project, session, force }: { project: string } & EndOptions): void {
  if (!projects(program, true).includes(project)) throw unknown(session);
  withStore(program, project, (store) => {
    const run = store.runs().find((each) => each.session === session && each.pid !== process.pid);
    if (!run) throw unknown(session);
    if (run.state === "running") {
      store.askStop(run, personName());
      if (signalRun(run, force ? "SIGKILL" : "SIGTERM") === "forbidden") {
        throw new Fault(
          "run.forbidden",
          Exit.failed,
          `Process ${run.pid} of session ${session} is another user's.`,
          "Stop it as that user.",
        );
      }
    }
    if (run.state === "running" && !force) return;
    endLeftovers(run);
    store.dropRun(run);
  });
}

interface EndOptions {
  session: string;
  force: boolean;
}

const unknown = (session: string): Fault =>
  new Fault("run.unknown", Exit.usage, `No process works on session ${session}.`, "List them: fettle stop --list");

/** Tells the session and the ledger when this process ends because somebody asked for it elsewhere. */
export function noteStopAsked(program: Program, session: Session, ledger: Ledger): void {
  const by = session.failed ? undefined : program.kept().stopAskedBy(session.id);
  if (by === undefined) return;
  const text = `Stopped from elsewhere by ${by} (fettle stop).`;
  session.append({ type: "notice.given", code: "stop.asked", level: "warning", text });
  ledger.note("stop.asked", { session: session.id, by });
}
