// The layers of one session: masks over what is kept over the workspace, and a new folder for what each run writes.
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { randomBytes } from "node:crypto";
import path from "node:path";
import { leftBehind, ownedName } from "../folders/owned-folders.ts";
import { makePrivateFolder } from "../places/places.ts";
import { LowerView } from "./below.ts";
import { readChanges, type Written } from "./changes.ts";
import { dropLayer } from "./drop.ts";
import { keepPath, linkPath, uncoverPath, whiteoutsBelow } from "./keep.ts";
import { isFile, isFolder, type Locate, locateIn, namesIn } from "./look.ts";
import { looksLike, maskFolder } from "./masks.ts";
import { mountable, mountWords, type Overlay, probeLayers } from "./mount.ts";
import {
  type Change,
  type LayerSource,
  type SharedFolder,
  type MaskedFile,
  mostRemoved,
  type RunLayer,
} from "./spec.ts";

/** How the next run is mounted. */
interface SourceOptions {
  /** It writes nothing. */
  readOnly?: boolean;
  /** It runs on beside others: what it writes is asked for by `staying`. */
  stays?: boolean;
}

/** What one run leaves to be kept. */
interface Keeping {
  opaque: ReadonlySet<string>;
  /** It is the output of nothing that the project, or the plan of a task, declares. */
  foreign: boolean;
}

export interface Layers {
  /** What the next runs see. What they write to borrowed folders lands in a layer as well. */
  source(masked: readonly MaskedFile[], options?: SourceOptions): LayerSource;
  /**
   * For a program that stays: it sees the workspace itself, and of these folders of it (relative) a layer that takes its
   * writes and goes with it. Undefined where there are none of them.
   */
  beside(folders: readonly string[]): (LayerSource & { overlaid: { from: string; to: string }[] }) | undefined;
  /** What a run has written; to be called when it has ended. */
  written(upper: string): Written;
  /** Later runs see this path as the run left it; the workspace stays as it is. */
  keep(upper: string, path: string, how: Keeping): void;
  /** Later runs read the very file that a program which stays writes. */
  share(upper: string, path: string): void;
  /** Layers of programs that stay, as long as they do. */
  readonly staying: ReadonlySet<RunLayer>;
  /** Later runs see these as the workspace has them. */
  release(paths: readonly string[]): void;
  /** What earlier runs deleted for later ones only, each as it would be deleted from the workspace. */
  deleted(): Change[];
  /** Later runs see these as the workspace has them, also where they, or a folder around them, were deleted before. */
  uncover(paths: readonly string[]): void;
  /** Whatever was deleted from what the workspace has is seen again by later runs. */
  uncoverAll(): void;
  /** Whether a path of the workspace lies in a borrowed folder. */
  borrowed(path: string): boolean;
  /** Nothing is kept any more: later runs see the workspace alone, and what runs now keeps nothing. */
  forget(): void;
  /** Something is kept that is no declared output. */
  readonly foreign: boolean;
  /** Something is kept: what commands see is not the workspace alone. */
  readonly keeps: boolean;
  close(): void;
}

export type LayersHere = { layers: Layers } | { why: string };

/** `root`: fettle's own folder for the layers of this project, on a file system with room. */
export function openLayers(root: string, workspace: string, lent: readonly SharedFolder[] = []): LayersHere {
  if (process.platform !== "linux") return { why: "copy-on-write layers need Linux" };
  if (!mountable([workspace, root])) {
    return { why: `the name of ${workspace} holds a character that overlayfs cannot take (, : " or \\)` };
  }
  try {
    makePrivateFolder(root);
    const probe = probeLayers(root);
    return probe.works ? { layers: new SessionLayers(root, workspace, lent) } : { why: probe.why };
  } catch (error) {
    return { why: (error as Error).message };
  }
}

class SessionLayers implements Layers {
  readonly #folder: string;
  readonly #workspace: string;
  readonly #lent: readonly SharedFolder[];
  readonly #locate: Locate;
  readonly #hidden = new Set<string>();
  readonly staying = new Set<RunLayer>();
  /** Counts how often what was kept has been forgotten. */
  #generation = 0;
  #made = false;
  #keeps = false;
  #foreign = false;

  constructor(root: string, workspace: string, lent: readonly SharedFolder[]) {
    this.#folder = path.join(root, ownedName());
    this.#workspace = workspace;
    this.#lent = lent.filter(({ from, to, over = to }) => mountable([from, to, over]));
    this.#locate = locateIn(workspace, this.#lent);
  }

  get keeps(): boolean {
    return this.#keeps;
  }

  get foreign(): boolean {
    return this.#foreign;
  }

  source(masked: readonly MaskedFile[], { readOnly = false, stays = false }: SourceOptions = {}): LayerSource {
    this.#make();
    const merged = this.#at("merged");
    const lower = [...this.#masks(masked, this.#workspace), this.#kept, this.#workspace];
    const lent = this.#lent
      .filter(({ from, to }) => isFolder(to) && isFolder(from))
      .map(({ from, to, over }) => {
        const relative = path.relative(this.#workspace, to);
        const kept = path.join(this.#kept, relative);
        if (!isFolder(kept)) mkdirSync(kept, { recursive: true });
        looksLike(kept, from);
        return { relative, lower: [...this.#masks(masked, from), kept, ...(over === undefined ? [] : [over]), from] };
      });
    return {
      key: JSON.stringify([lower, lent, readOnly]),
      merged,
      open: () => this.#open(lower, lent, { readOnly, stays }),
    };
  }

  #open(lower: string[], lent: readonly LentLower[], { readOnly, stays }: Required<SourceOptions>): RunLayer {
    const folder = path.join(this.#at("runs"), randomBytes(6).toString("hex"));
    const merged = this.#at("merged");
    const place = (...names: string[]) => madeFolder(folder, ...names);
    const upper = place("upper");
    looksLike(upper, this.#workspace);
    const inside = lent.map(({ relative, lower: below }, index): Overlay => {
      const own = place("lent", relative);
      looksLike(own, below.at(-1) ?? "");
      return {
        lower: below,
        ...(!readOnly && { upper: { folder: own, work: place(`lent-work-${index}`) } }),
        point: path.join(merged, relative),
      };
    });
    const own = readOnly ? {} : { upper: { folder: upper, work: place("work") } };
    const lentUpper = path.join(folder, "lent");
    const wrote = () => lent.some(({ relative }) => namesIn(path.join(lentUpper, relative)).length > 0);
    const words = mountWords([{ lower, ...own, point: merged }, ...inside]);
    const layer = this.#run({ folder, upper, words }, () => (wrote() ? lentUpper : undefined));
    if (stays) this.staying.add(layer);
    return layer;
  }

  #run(
    { folder, upper, words }: { folder: string; upper: string; words: string[] },
    lentUpper: RunLayer["lentUpper"] = () => undefined,
  ): RunLayer {
    const generation = this.#generation;
    const layer: RunLayer = {
      upper,
      words,
      lentUpper,
      current: () => generation === this.#generation,
      close: () => {
        this.staying.delete(layer);
        dropLater(folder);
      },
    };
    return layer;
  }

  beside(folders: readonly string[]): ReturnType<Layers["beside"]> {
    this.#make();
    const whole = folders.filter((folder) => isFolder(path.join(this.#workspace, folder)) && mountable([folder]));
    if (whole.length === 0) return undefined;
    const overlaid = whole.map((folder, index) => ({
      from: path.join(this.#at("beside"), String(index)),
      to: path.join(this.#workspace, folder),
    }));
    for (const { from } of overlaid) mkdirSync(from, { recursive: true, mode: 0o700 });
    return {
      key: JSON.stringify(overlaid),
      merged: this.#at("merged"),
      overlaid,
      open: () => this.#openBeside(overlaid),
    };
  }

  #openBeside(overlaid: readonly { from: string; to: string }[]): RunLayer {
    const folder = path.join(this.#at("runs"), randomBytes(6).toString("hex"));
    const place = (...names: string[]) => madeFolder(folder, ...names);
    const overlays = overlaid.map(({ from, to }, index) => {
      const kept = path.join(this.#kept, path.relative(this.#workspace, to));
      return {
        lower: [...(isFolder(kept) ? [kept] : []), to],
        upper: { folder: place(`upper-${index}`), work: place(`work-${index}`) },
        point: from,
      };
    });
    return this.#run({ folder, upper: folder, words: mountWords(overlays) });
  }

  written(upper: string): Written {
    return readChanges(upper, new LowerView(this.#locate, this.#kept, this.#hidden), this.#locate);
  }

  keep(upper: string, at: string, { opaque, foreign }: Keeping): void {
    this.#keeps = true;
    this.#foreign ||= foreign;
    keepPath(at, { upper, kept: this.#kept, workspace: this.#locate }, opaque, this.#hidden);
  }

  share(upper: string, at: string): void {
    this.#keeps = true;
    linkPath(at, { upper, kept: this.#kept, workspace: this.#locate });
  }

  release(paths: readonly string[]): void {
    if (!this.#keeps) return;
    for (const at of paths) if (isFile(path.join(this.#kept, at))) rmSync(path.join(this.#kept, at));
  }

  deleted(): Change[] {
    if (!this.#keeps) return [];
    const workspace = new LowerView(this.#locate, this.#at("nothing"), new Set());
    return whiteoutsBelow(this.#kept).flatMap((at): Change[] => {
      const before = workspace.at(at);
      return before ? [{ path: at, kind: "removed", before, files: workspace.filesOf(at, mostRemoved) }] : [];
    });
  }

  uncover(paths: readonly string[]): void {
    if (this.#keeps) for (const at of paths) uncoverPath(this.#kept, at);
  }

  uncoverAll(): void {
    if (this.#keeps) for (const at of whiteoutsBelow(this.#kept)) uncoverPath(this.#kept, at);
  }

  borrowed(at: string): boolean {
    const file = path.join(this.#workspace, at);
    return this.#lent.some(({ to }) => file === to || file.startsWith(`${to}/`));
  }

  /** What is mounted now stays where it is until the session closes; the next runs have a folder of their own. */
  forget(): void {
    this.#generation += 1;
    this.#made = false;
  }

  close(): void {
    if (existsSync(this.#folder)) dropLayer(this.#folder);
    this.#made = false;
  }

  get #kept(): string {
    return this.#at(`kept-${this.#generation}`);
  }

  #at(name: string): string {
    return path.join(this.#folder, name);
  }

  /** Also when the folder was removed meanwhile, by whom ever. */
  #make(): void {
    if (this.#made && existsSync(this.#kept)) return;
    for (const folder of [this.#kept, ...["merged", "runs", "masks"].map((name) => this.#at(name))])
      mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#made = true;
    this.#keeps = false;
    this.#foreign = false;
    this.#hidden.clear();
  }

  /** Those that lie below a folder, as a layer over it; none where there are none. */
  #masks(masked: readonly MaskedFile[], folder: string): string[] {
    const made = maskFolder(this.#at("masks"), folder, masked);
    return made === undefined ? [] : [made];
  }
}

interface LentLower {
  relative: string;
  lower: readonly string[];
}

function madeFolder(folder: string, ...names: string[]): string {
  const made = path.join(folder, ...names);
  mkdirSync(made, { recursive: true, mode: 0o700 });
  return made;
}

/** Nobody waits for it; what is left when the session closes goes then. */
const dropLater = (folder: string): void => void setTimeout(() => dropLayer(folder), 0).unref();

/** Removes layers of processes that have ended. */
export function dropLeftLayers(root: string): void {
  if (!existsSync(root)) return;
  for (const name of readdirSync(root)) if (leftBehind(name)) dropLayer(path.join(root, name));
}
