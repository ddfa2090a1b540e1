// Commands that write to the workspace itself: what differs after one is its doing, also when it was cut off with its process.
import { randomBytes } from "node:crypto";
import type { EarlierFile } from "../snapshot/restore.ts";
import type { Snapshots } from "../snapshot/snapshots.ts";
import { ignoredSince } from "./ignored-since.ts";
import type { CutOff, Journal } from "./journal.ts";
import type { Change, Entry } from "./plan.ts";
import { forgetPulse, lastPulse, Pulse, touchedAfter } from "./pulse.ts";
import { absent, type PathState, sameState } from "./state.ts";

export type Tree = Pick<Snapshots, "take" | "earlier">;

interface CommandRecord {
  folder: string;
  workspace: string;
  turn: () => number;
  journal: Journal;
  /** Works that go on now. */
  active: Set<string>;
  /** Records what becomes of the paths that are known beforehand. */
  around<T>(paths: readonly string[], work: () => Promise<T>, of: string): Promise<T>;
  now(at: string): PathState;
  change(at: string, before: PathState, after: PathState): Change;
  earlierState(file: NonNullable<EarlierFile["was"]>, now: PathState): PathState;
  /** Something is recorded of this path in this turn. */
  tells(at: string): boolean;
}

export class Commands {
  readonly #record: CommandRecord;
  /** What became of those that were cut off, by their names. */
  readonly found = new Map<string, Entry[]>();

  constructor(record: CommandRecord) {
    this.#record = record;
  }

  async around<T>(
    judged: readonly string[],
    trees: () => Promise<Tree | undefined>,
    work: () => Promise<T>,
    changed: (paths: readonly string[]) => void = () => {},
  ): Promise<T> {
    const { folder, workspace, turn, journal, active, around, now, tells } = this.#record;
    const snapshots = await trees();
    const tree = (await snapshots?.take())?.tree;
    const startedAt = Date.now();
    const running = randomBytes(6).toString("hex");
    journal.append([{ turn: turn(), running, startedAt, ...(tree && { tree }) }]);
    active.add(running);
    const pulse = new Pulse(folder, running);
    try {
      return await around(judged, work, running);
    } finally {
      try {
        const made = snapshots && tree ? await this.#compared(snapshots, tree, now) : [];
        journal.append(made);
        changed(made.map(({ path: at }) => at));
        const unseen = ignoredSince(workspace, startedAt).filter((at) => !tells(at));
        journal.append([...unseen.map((at) => ({ turn: turn(), path: at, unkept })), { ended: running }]);
      } finally {
        active.delete(running);
        pulse.stop();
      }
    }
  }

  /**
   * What differs since a command began that was cut off is its doing, but for what was touched after its process had ended.
   * `keep`: this process holds the session, and has changed nothing of it yet.
   */
  async settleCutOff(trees: () => Promise<Tree | undefined>, keep: boolean): Promise<void> {
    const { journal, active, folder } = this.#record;
    const open = journal.cutOff(active);
    const snapshots = open.length > 0 ? await trees() : undefined;
    for (const run of open) {
      const made = await this.#doneBy(run, snapshots);
      this.found.set(run.running, made);
      if (!keep) continue;
      const over = [...run.judged.map(({ begun }) => begun), run.running];
      journal.append([...made, ...over.map((ended) => ({ ended }))]);
      forgetPulse(folder, run.running);
    }
  }

  async #doneBy({ turn, running, startedAt, tree, judged }: CutOff, snapshots: Tree | undefined): Promise<Entry[]> {
    const { folder, workspace, now, change } = this.#record;
    const until = lastPulse(folder, running) ?? startedAt;
    const left = (at: string): PathState => (touchedAfter(workspace, at, until) ? { kind: "other" } : now(at));
    const made = judged.flatMap(({ before }) =>
      before.flatMap(([at, was]) => (sameState(was, now(at)) ? [] : [change(at, was, left(at))])),
    );
    if (snapshots && tree) made.push(...(await this.#compared(snapshots, tree, left)));
    const told = (at: string) => made.some((each) => `${each.path}/`.startsWith(`${at}/`));
    const unseen = ignoredSince(workspace, startedAt).filter((at) => !told(at));
    return [...made.map((each) => ({ ...each, turn })), ...unseen.map((at) => ({ turn, path: at, unkept }))];
  }

  /** `left` answers how the command left a path. */
  async #compared(snapshots: Tree, earlier: string, left: (at: string) => PathState): Promise<Change[]> {
    const { now, change, earlierState } = this.#record;
    const { tree } = await snapshots.take();
    if (tree === earlier) return [];
    const made: Change[] = [];
    for (const { path: at, was } of await snapshots.earlier(earlier, tree)) {
      const is = now(at);
      const before = was ? earlierState(was, is) : absent;
      if (!sameState(before, is)) made.push({ ...change(at, before, left(at)), compared: true });
    }
    return made;
  }
}

const unkept = "git ignores it, and a command wrote to it itself";
