// The files of the workspace at the start of a turn, taken when the turn first may change something.
import { someOf } from "../base/some-of.ts";
import { Fault } from "../base/fault.ts";
import type { OwnChanges } from "../io/changes/own-changes.ts";
import type { Snapshots } from "../io/snapshot/snapshots.ts";
import type { Diff } from "../protocol/result.ts";
import { ownDiff } from "./own-diff.ts";
import type { Session } from "./session/session.ts";

/** Undefined when this machine cannot take snapshots (no git); the session then goes on without, and says so once. */
export type SnapshotSource = () => Promise<Snapshots | { unavailable: string }>;

/** What the session's own tools and commands changed. */
export type OwnWork = () => Promise<Pick<OwnChanges, "plan">>;

export class Checkpoints {
  readonly #session: Session;
  readonly #source: SnapshotSource;
  readonly #own: OwnWork | undefined;
  #toldUnavailable = false;
  #making: Promise<void> | undefined;
  #madeFor = 0;
  /** The turn whose checkpoint was begun before anything asked for it; 0 once something has. */
  #onlyAnticipated = 0;
  /** The last turn that ended: nothing is anticipated for it any more. */
  #closed = 0;

  constructor(session: Session, source: SnapshotSource, own?: OwnWork) {
    this.#session = session;
    this.#own = own;
    this.#source = source;
  }

  /** Idempotent for a turn; concurrent callers share one snapshot. */
  ensure(turn: number): Promise<void> {
    if (this.#onlyAnticipated === turn) this.#onlyAnticipated = 0;
    return this.#begin(turn);
  }

  #begin(turn: number): Promise<void> {
    if (this.#madeFor !== turn) {
      this.#madeFor = turn;
      this.#making = this.#make(turn);
    }
    return this.#making ?? Promise.resolve();
  }

  /**
   * Begins the turn's checkpoint beside the first calls where it costs next to nothing, so that a change need not wait
   * for it. What goes wrong is told when the checkpoint is really needed.
   */
  anticipate(turn: number): void {
    if (this.#madeFor === turn || this.#treeOf(turn)) return;
    const settled = this.#source().then((snapshots) => {
      if ("unavailable" in snapshots || !snapshots.cheap()) return undefined;
      if (this.#madeFor === turn || this.#closed >= turn) return undefined;
      this.#onlyAnticipated = turn;
      return this.#begin(turn);
    });
    settled.catch(() => undefined);
  }

  /**
   * The tree of now and, where somebody will look at it, what fettle changed since the turn's checkpoint, and what anybody
   * did (`whole`); undefined without one.
   */
  async close(turn: number, wanted: boolean): Promise<{ tree: string; diff?: Diff; whole?: Diff } | undefined> {
    // One that was only anticipated is waited for, or not begun any more: nothing is appended after the turn's end.
    this.#closed = turn;
    await this.#making?.catch(() => undefined);
    const tree = this.#onlyAnticipated === turn ? undefined : this.#treeOf(turn);
    if (!tree) return undefined;
    const snapshots = await this.#source();
    if ("unavailable" in snapshots) return undefined;
    const now = await snapshots.take();
    if (!wanted) return { tree: now.tree };
    const whole = now.tree === tree ? { files: [] } : await snapshots.diff(tree, now.tree);
    const own = await this.#own?.();
    const plan = own?.plan({ since: turn });
    return { tree: now.tree, whole, diff: plan ? ownDiff(plan, whole) : whole };
  }

  /** The files as they were before turn `turn`: its checkpoint, or the next one, as nothing had changed in between. */
  treeBefore(turn: number): string | undefined {
    return this.#session.state.turns.find((each) => each.turn >= turn && each.checkpoint)?.checkpoint;
  }

  snapshots(): ReturnType<SnapshotSource> {
    return this.#source();
  }

  #treeOf(turn: number): string | undefined {
    return this.#session.state.turns.find((each) => each.turn === turn)?.checkpoint;
  }

  async #make(turn: number): Promise<void> {
    if (this.#treeOf(turn)) return;
    const snapshots = await this.#source();
    if ("unavailable" in snapshots) {
      this.#tellUnavailable(snapshots.unavailable);
      return;
    }
    const taken = await snapshots.take().catch((error: unknown) => this.#withoutGit(error));
    if (!taken) return;
    const { tree, leftOut } = taken;
    this.#session.append({ type: "checkpoint.made", turn, tree, leftOut });
    if (leftOut.length > 0) {
      const names = leftOut.map((each) => `${each.path} (${each.why})`);
      const text = `The checkpoint leaves out ${someOf(names, 5)}: rewind cannot restore these.`;
      this.#session.append({ type: "notice.given", code: "checkpoint.left-out", level: "warning", text });
    }
  }

  /** Any other failure is no reason to change files without a way back. */
  #withoutGit(error: unknown): undefined {
    if (!(error instanceof Fault) || error.code !== "git.missing") throw error;
    this.#tellUnavailable(error.message);
  }

  #tellUnavailable(why: string): void {
    if (this.#toldUnavailable) return;
    this.#toldUnavailable = true;
    const text = `There are no checkpoints in this session, so only what fettle itself wrote can be taken back: ${why}`;
    this.#session.append({ type: "notice.given", code: "checkpoint.unavailable", level: "warning", text });
  }
}
