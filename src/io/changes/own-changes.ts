// The record of what fettle itself changed in the workspace during a session, and of what was there before. A checkpoint
// knows how the files were; this knows whose doing a difference is, and holds what git ignores.
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, rmdirSync } from "node:fs";
import path from "node:path";
import { writeAtomic } from "../files/bytes.ts";
import { FileProblem, fileProblem } from "../files/problem.ts";
import { Obstacle, place, remove } from "../snapshot/placing.ts";
import { isControl } from "../snapshot/raw-path.ts";
import { obstacleOf, partly } from "../snapshot/restore.ts";
import { Commands, type Tree } from "./commands.ts";
import { Contents } from "./contents.ts";
import { type Expected, Journal } from "./journal.ts";
import { type Change, type Entry, type Part, type Plan, planOf, type Step } from "./plan.ts";
import { absent, pathsBelow, type PathState, sameState, stateAt } from "./state.ts";

export interface OwnChangesOptions {
  /** The private folder of this session's record; made when it is first needed. */
  folder: string;
  workspace: string;
  key: () => Uint8Array;
  /** The turn that a change belongs to. */
  turn: () => number;
}

/** What paths are to become: of a file its content, or whose content it is to have. Relative or absolute. */
export type Wanted = ReadonlyMap<string, Uint8Array | Exclude<Expected, { kind: "file" }> | { from: string }>;

/** A file as git keeps it; undefined: there is none. */
export type KnownToGit = { text: string; executable: boolean } | undefined;

/** What the guard needs of the record. */
export type Recorder = Pick<OwnChanges, "around" | "aroundCommand" | "unkept" | "takeBack" | "undoing">;

export class OwnChanges {
  readonly #options: OwnChangesOptions;
  readonly #contents: Contents;
  readonly #journal: Journal;
  /** Works that go on now. */
  readonly #active = new Set<string>();
  readonly #commands: Commands;
  #undo: string | undefined;

  constructor(options: OwnChangesOptions) {
    this.#options = options;
    this.#contents = new Contents(path.join(options.folder, "contents"), options.key);
    this.#journal = new Journal(options.folder);
    this.#commands = new Commands({
      ...{ folder: options.folder, workspace: options.workspace, turn: options.turn },
      ...{ journal: this.#journal, active: this.#active, change: this.#change },
      around: (paths, work, of) => this.#around(paths, work, { of }),
      now: (at) => this.#now(at),
      earlierState: (file, now) => this.#earlierState(file, now),
      tells: (at) => this.#tells(at),
    });
  }

  /**
   * Does the work, which changes these paths or what lies below them, and records what became of them; not where that
   * cannot be recorded. `wanted` tells a change that is cut off from what somebody else did.
   */
  async around<T>(paths: readonly string[], work: () => Promise<T>, wanted: Wanted = new Map()): Promise<T> {
    return this.#around(paths, work, { wanted });
  }

  async #around<T>(
    paths: readonly string[],
    work: () => Promise<T>,
    { wanted = new Map(), of }: { wanted?: Wanted; of?: string | undefined },
  ): Promise<T> {
    const { before, unseen } = this.#look(paths);
    const begun = this.#begin(before, this.#named(before, wanted), of);
    try {
      return await work();
    } finally {
      this.#end(begun, () => this.#differing(paths, before, unseen));
    }
  }

  #named(before: ReadonlyMap<string, PathState>, wanted: Wanted): [string, Expected][] {
    const named = [...wanted].flatMap(([given, state]): [string, Expected][] => {
      const expected = "from" in state ? before.get(this.#relative(state.from)) : this.#expected(state);
      return expected && expected.kind !== "other" ? [[this.#relative(given), expected]] : [];
    });
    // Folders that are missing above what is written come with it.
    const above = named.flatMap(([at, { kind }]) => (kind === "absent" ? [] : foldersAbove(at)));
    return [...above.map((at): [string, Expected] => [at, { kind: "folder" }]), ...named];
  }

  #begin(before: ReadonlyMap<string, PathState>, expected: [string, Expected][], of?: string): string {
    const begun = randomBytes(6).toString("hex");
    if (before.size > 0)
      this.#journal.append([
        {
          ...{ turn: this.#options.turn(), begun, before: [...before], expected },
          ...(this.#undo !== undefined && { undo: this.#undo }),
          ...(of !== undefined && { of }),
        },
      ]);
    this.#active.add(begun);
    return begun;
  }

  #expected(state: Uint8Array | Exclude<Expected, { kind: "file" }>): Expected {
    return "kind" in state ? state : { kind: "file", content: this.#contents.name(Buffer.from(state)) };
  }

  /** What cannot be written any more is known from its beginning. */
  #end(begun: string, differing: () => Entry[]): void {
    try {
      this.#journal.append([...differing(), { ended: begun }]);
    } catch (error) {
      if (!(error instanceof FileProblem)) throw error;
    } finally {
      this.#active.delete(begun);
    }
  }

  /** A command that writes to the workspace itself: what differs after it is its doing. */
  aroundCommand<T>(
    judged: readonly string[],
    trees: () => Promise<Tree | undefined>,
    work: () => Promise<T>,
    changed?: (paths: readonly string[]) => void,
  ): Promise<T> {
    return this.#commands.around(judged, trees, work, changed);
  }

  /** `keep`: this process holds the session, and has changed nothing of it yet. */
  settleCutOff(trees: () => Promise<Tree | undefined>, keep: boolean): Promise<void> {
    return this.#commands.settleCutOff(trees, keep);
  }

  /** Told before what is too much to be kept is done. Relative or absolute. */
  unkept(paths: readonly string[], why: string): void {
    this.#note(
      paths.map((each) => this.#relative(each)),
      why,
    );
  }

  plan(part: Part): Plan {
    return planOf(this.#chosen(part), {
      now: (at) => this.#now(at),
      kept: (content) => this.#contents.has(content),
    });
  }

  /** The undo that was done last, where nothing was changed since. */
  lastUndo(): string | undefined {
    const last = this.#entries().findLast((entry): entry is Change => !("unkept" in entry));
    return last?.undo;
  }

  /** What stands at this path differs from `base`, which git knows, and the session alone made the difference. */
  isOwn(at: string, base: KnownToGit): boolean {
    const step = this.plan({ since: 0 }).back.find((each) => each.path === at);
    return (
      step !== undefined &&
      this.#holds(step.before, base) &&
      this.#left(at).some((each) => sameState(each.after, step.after))
    );
  }

  /** The session found or left this very content at this path once. */
  hasSeen(at: string, content: KnownToGit): boolean {
    return this.#left(at).some((entry) => this.#holds(entry.before, content) || this.#holds(entry.after, content));
  }

  /** What is known to be the session's own doing, and not only to have come about beside it. */
  #left = (at: string): Change[] =>
    this.#entries().filter((entry): entry is Change => !("unkept" in entry) && entry.path === at && !entry.compared);

  #holds(state: PathState, content: KnownToGit): boolean {
    if (content === undefined || state.kind !== "file") return content === undefined && state.kind === "absent";
    const executable = (state.mode & 0o100) !== 0;
    return executable === content.executable && state.content === this.#contents.name(Buffer.from(content.text));
  }

  content(state: PathState): Buffer | undefined {
    return state.kind === "file" ? this.#contents.read(state.content) : undefined;
  }

  /** Puts back those of the paths that are as fettle left them; `all`: the others, too. Throws a Fault `restore.partial`. */
  async takeBack(part: Part, paths: readonly string[]): Promise<{ restored: string[] }> {
    const wanted = new Set(paths.map((each) => this.#relative(each)));
    const { back, both } = this.plan(part);
    const steps = [...back, ...both].filter((step) => wanted.has(step.path)).toSorted(inOrder);
    return this.undoing(async () => {
      const places = steps.map((step) => step.path);
      const { before } = this.#look(places);
      const begun = this.#begin(
        before,
        steps.flatMap(({ path: at, before: was }): [string, Expected][] => (was.kind === "other" ? [] : [[at, was]])),
      );
      const restored: string[] = [];
      const obstacles: string[] = [];
      for (const step of steps) {
        try {
          await this.#put(step.path, step.before);
          restored.push(step.path);
        } catch (error) {
          // What could not be written names itself by its whole path.
          obstacles.push(obstacleOf(error, step.path).replaceAll(`${this.#options.workspace}${path.sep}`, ""));
        }
      }
      this.#end(begun, () => this.#differing(places, before));
      if (obstacles.length > 0) throw partly(restored.length, obstacles);
      return { restored: restored.sort() };
    });
  }

  /** What is recorded meanwhile is one undo, which can be taken back itself. */
  async undoing<T>(work: () => Promise<T>): Promise<T> {
    const outer = this.#undo;
    this.#undo = outer ?? randomBytes(6).toString("hex");
    try {
      return await work();
    } finally {
      this.#undo = outer;
    }
  }

  async #put(at: string, state: PathState): Promise<void> {
    const { workspace } = this.#options;
    const raw = Buffer.from(at).toString("latin1");
    const target = path.join(workspace, at);
    const now = stateAt(target, () => "");
    if (state.kind === "absent") {
      if (now.kind === "folder") removeIfEmpty(target);
      else remove(workspace, raw);
    } else if (state.kind === "folder") {
      if (now.kind !== "folder") mkdirSync(target, { recursive: true });
    } else if (state.kind === "link") {
      place(workspace, raw, "120000", Buffer.from(state.target));
    } else if (state.kind === "file") {
      const content = this.#contents.read(state.content);
      if (!content) throw new Obstacle("what was kept of it is gone");
      if (now.kind === "link") remove(workspace, raw);
      if (now.kind === "folder") removeIfEmpty(target);
      await writeAtomic(target, content, { root: workspace, mode: state.mode });
    }
  }

  #look(paths: readonly string[]): { before: Map<string, PathState>; unseen: Set<string> } {
    const before = new Map<string, PathState>();
    const unseen = new Set<string>();
    for (const given of paths) {
      const at = this.#relative(given);
      if (!this.#concerns(at)) continue;
      const below = pathsBelow(path.join(this.#options.workspace, at));
      if (!below) unseen.add(at);
      for (const each of below ?? []) {
        const name = this.#relative(each);
        if (this.#concerns(name) && !before.has(name))
          before.set(
            name,
            stateAt(each, (content) => this.#kept(content)),
          );
      }
      for (const folder of missingAbove(this.#options.workspace, at)) before.set(folder, absent);
    }
    return { before, unseen };
  }

  #differing(
    paths: readonly string[],
    before: ReadonlyMap<string, PathState>,
    tooMuch: ReadonlySet<string> = new Set(),
  ): Entry[] {
    const names = new Set(before.keys());
    const unseen = [...tooMuch];
    for (const at of paths.map((each) => this.#relative(each)).filter((each) => before.has(each))) {
      const below = pathsBelow(path.join(this.#options.workspace, at));
      if (!below) unseen.push(at);
      for (const each of below ?? []) names.add(this.#relative(each));
    }
    const made: Change[] = [];
    for (const at of names) {
      if (!this.#concerns(at)) continue;
      const was = before.get(at) ?? absent;
      const after = this.#now(at);
      if (!sameState(was, after)) made.push(this.#change(at, was, after));
    }
    const turn = this.#options.turn();
    return [...made, ...unseen.map((at) => ({ turn, path: at, unkept: tooMany }))];
  }

  /** git knows whether a file may be run, and no more of its rights: the rest is taken to be as it is. */
  #earlierState({ mode, content }: { mode: string; content: Buffer }, after: PathState): PathState {
    if (mode === "120000") return { kind: "link", target: content.toString("utf8") };
    const rights = after.kind === "file" ? after.mode & ~0o111 : 0o644;
    const whole = mode === "100755" ? rights | ((rights & 0o444) >> 2) : rights;
    return { kind: "file", mode: whole, size: content.length, content: this.#contents.keep(content) };
  }

  #kept(content: Buffer): string {
    try {
      return this.#contents.keep(content);
    } catch (error) {
      throw fileProblem(error, this.#options.folder);
    }
  }

  /** Without keeping its content. */
  #now(at: string): PathState {
    return stateAt(path.join(this.#options.workspace, at), (content) => this.#contents.name(content));
  }

  #change = (at: string, before: PathState, after: PathState): Change => ({
    ...{ turn: this.#options.turn(), path: at, before, after },
    ...(this.#undo !== undefined && { undo: this.#undo }),
  });

  /** The record knows what became of this path, or of what lies below it, in this turn. */
  #tells(at: string): boolean {
    const turn = this.#options.turn();
    return this.#entries().some((entry) => entry.turn === turn && `${entry.path}/`.startsWith(`${at}/`));
  }

  #note(paths: readonly string[], why: string): void {
    const turn = this.#options.turn();
    this.#journal.append(paths.map((at) => ({ turn, path: at, unkept: why })));
  }

  #chosen(part: Part): Entry[] {
    const all = this.#entries();
    if ("since" in part) {
      const first = all.findIndex((entry) => entry.turn >= part.since && !("undo" in entry));
      return first < 0 ? [] : all.slice(first);
    }
    return all.filter((entry) => "undo" in entry && entry.undo === part.undo);
  }

  #entries(): Entry[] {
    return this.#journal.entries((at) => this.#now(at), this.#active, this.#commands.found);
  }

  #concerns(at: string): boolean {
    return at !== "" && !at.startsWith("..") && !path.isAbsolute(at) && !isControl(at);
  }

  #relative(given: string): string {
    const { workspace } = this.#options;
    return path.relative(workspace, path.resolve(workspace, given));
  }
}

/** What goes, goes from the inside; what comes, comes from the outside. */
function inOrder(left: Step, right: Step): number {
  const goes = ({ before }: Step) => (before.kind === "absent" ? 0 : 1);
  if (goes(left) !== goes(right)) return goes(left) - goes(right);
  const order = left.path < right.path ? -1 : 1;
  return goes(left) === 0 ? -order : order;
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    // Somebody else has put something into it.
    if (!(error instanceof Error && "code" in error)) throw error;
  }
}

/** Relative. */
function foldersAbove(at: string): string[] {
  const found: string[] = [];
  for (let folder = path.dirname(at); folder !== "." && folder !== "/"; folder = path.dirname(folder))
    found.push(folder);
  return found;
}

/** Folders above a path that are not there yet, relative. */
const missingAbove = (workspace: string, at: string): string[] =>
  foldersAbove(at).filter((folder) => !existsSync(path.join(workspace, folder)));

const tooMany = "it holds too many files for them to be kept";
