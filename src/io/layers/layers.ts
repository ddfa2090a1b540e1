// The layers of one session: masks over what is kept over the workspace, and a new folder for what each run writes.
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { createHash, randomBytes } from "node:crypto";
import path from "node:path";
import { leftBehind, ownedName } from "../owned-folders.ts";
import { makePrivateFolder } from "../places.ts";
import { LowerView } from "./below.ts";
import { readChanges, type Written } from "./changes.ts";
import { dropLayer } from "./drop.ts";
import { keepPath } from "./keep.ts";
import { mountable, mountWords, probeLayers } from "./mount.ts";
import type { LayerSource, MaskedFile, RunLayer } from "./spec.ts";

/** A folder of elsewhere that commands may write as if it were theirs; what they write there is gone afterwards. */
export interface Lent {
  from: string;
  /** Inside of the workspace. */
  to: string;
}

export interface Layers {
  /** What the next runs see. `readOnly`: they write nothing. `lent` folders get a throw-away layer each. */
  source(masked: readonly MaskedFile[], options?: { readOnly?: boolean; lent?: readonly Lent[] }): LayerSource;
  /**
   * For a program that stays: it sees the workspace itself, and of these folders of it (relative) a layer that takes its
   * writes and goes with it. Undefined where there are none of them.
   */
  beside(folders: readonly string[]): (LayerSource & { overlaid: { from: string; to: string }[] }) | undefined;
  /** What a run has written; to be called when it has ended. */
  written(upper: string): Written;
  /** Later runs see this path as the run left it; the workspace stays as it is. */
  keep(upper: string, path: string, how: { opaque: ReadonlySet<string>; foreign: boolean }): void;
  /** Something is kept that no declared check or build of the project wrote. */
  readonly foreign: boolean;
  /** Something is kept: what commands see is not the workspace alone. */
  readonly keeps: boolean;
  close(): void;
}

export type LayersHere = { layers: Layers } | { why: string };

/** `root`: fettle's own folder for the layers of this project, on a file system with room. */
export function openLayers(root: string, workspace: string): LayersHere {
  if (process.platform !== "linux") return { why: "copy-on-write layers need Linux" };
  if (!mountable([workspace, root])) {
    return { why: `the name of ${workspace} holds a character that overlayfs cannot take (, : " or \\)` };
  }
  try {
    makePrivateFolder(root);
    const probe = probeLayers(root);
    return probe.works ? { layers: new SessionLayers(root, workspace) } : { why: probe.why };
  } catch (error) {
    return { why: (error as Error).message };
  }
}

class SessionLayers implements Layers {
  readonly #folder: string;
  readonly #workspace: string;
  readonly #hidden = new Set<string>();
  #made = false;
  #keeps = false;
  #foreign = false;

  constructor(root: string, workspace: string) {
    this.#folder = path.join(root, ownedName());
    this.#workspace = workspace;
  }

  get keeps(): boolean {
    return this.#keeps;
  }

  source(
    masked: readonly MaskedFile[],
    { readOnly = false, lent = [] }: { readOnly?: boolean; lent?: readonly Lent[] } = {},
  ): LayerSource {
    this.#make();
    const masks = this.#masks(masked);
    const lower = [...(masks ? [masks] : []), this.#at("kept"), this.#workspace];
    const merged = this.#at("merged");
    return {
      key: JSON.stringify([lower, readOnly, lent]),
      merged,
      open: () => this.#open({ lower, merged, readOnly, lent }),
    };
  }

  #open({
    lower,
    merged,
    readOnly,
    lent,
  }: {
    lower: string[];
    merged: string;
    readOnly: boolean;
    lent: readonly Lent[];
  }): RunLayer {
    const folder = path.join(this.#at("runs"), randomBytes(6).toString("hex"));
    const place = (name: string) => {
      const made = path.join(folder, name);
      mkdirSync(made, { recursive: true, mode: 0o700 });
      return made;
    };
    const upper = place("upper");
    looksLike(upper, this.#workspace);
    const own = readOnly ? {} : { upper: { folder: upper, work: place("work") } };
    const inside = lent
      .filter(({ from, to }) => isFolder(to) && mountable([from, to]))
      .map(({ from, to }, index) => ({
        lower: [from],
        upper: { folder: place(`lent-${index}`), work: place(`lent-work-${index}`) },
        point: path.join(merged, path.relative(this.#workspace, to)),
      }));
    return {
      upper,
      words: mountWords([{ lower, ...own, point: merged }, ...inside]),
      close: () => dropLater(folder),
    };
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
    const place = (name: string) => {
      const made = path.join(folder, name);
      mkdirSync(made, { recursive: true, mode: 0o700 });
      return made;
    };
    const overlays = overlaid.map(({ from, to }, index) => {
      const kept = path.join(this.#at("kept"), path.relative(this.#workspace, to));
      return {
        lower: [...(isFolder(kept) ? [kept] : []), to],
        upper: { folder: place(`upper-${index}`), work: place(`work-${index}`) },
        point: from,
      };
    });
    return { upper: folder, words: mountWords(overlays), close: () => dropLater(folder) };
  }

  written(upper: string): Written {
    return readChanges(upper, this.#below(), this.#workspace);
  }

  get foreign(): boolean {
    return this.#foreign;
  }

  keep(upper: string, at: string, { opaque, foreign }: { opaque: ReadonlySet<string>; foreign: boolean }): void {
    this.#keeps = true;
    this.#foreign ||= foreign;
    keepPath(at, { upper, kept: this.#at("kept"), workspace: this.#workspace }, opaque, this.#hidden);
  }

  close(): void {
    if (this.#made) dropLayer(this.#folder);
    this.#made = false;
  }

  #below(): LowerView {
    return new LowerView(this.#workspace, this.#at("kept"), this.#hidden);
  }

  #at(name: string): string {
    return path.join(this.#folder, name);
  }

  /** Also when the folder was removed meanwhile, by whom ever. */
  #make(): void {
    if (this.#made && existsSync(this.#at("kept"))) return;
    for (const name of ["kept", "merged", "runs", "masks"]) mkdirSync(this.#at(name), { recursive: true, mode: 0o700 });
    this.#made = true;
    this.#keeps = false;
    this.#foreign = false;
    this.#hidden.clear();
  }

  /** A folder with the masked files at their places; a new one for each set, as others may be mounted. */
  #masks(masked: readonly MaskedFile[]): string | undefined {
    const inside = masked.filter(({ path: file }) => file.startsWith(`${this.#workspace}/`) && isFile(file));
    if (inside.length === 0) return undefined;
    const digest = createHash("sha256").update(JSON.stringify(inside)).digest("hex").slice(0, 16);
    const folder = path.join(this.#at("masks"), digest);
    if (existsSync(path.join(folder, ".made"))) return path.join(folder, "files");
    const files = path.join(folder, "files");
    for (const { path: file, shown = "" } of inside) this.#mask(files, file, shown);
    writeFileSync(path.join(folder, ".made"), "");
    return files;
  }

  /** The folders on the way must look as the workspace's: what is on top is what a command sees. */
  #mask(files: string, file: string, shown: string): void {
    const parts = path.relative(this.#workspace, file).split("/");
    for (let count = 0; count < parts.length; count++) {
      const folder = path.join(files, ...parts.slice(0, count));
      if (existsSync(folder)) continue;
      mkdirSync(folder, { recursive: true });
      looksLike(folder, path.join(this.#workspace, ...parts.slice(0, count)));
    }
    const place = path.join(files, ...parts);
    writeFileSync(place, shown);
    looksLike(place, file);
  }
}

/** Nobody waits for it; what is left when the session closes goes then. */
const dropLater = (folder: string): void => void setTimeout(() => dropLayer(folder), 0).unref();

const isFolder = (folder: string): boolean => lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
const isFile = (file: string): boolean => lstatSync(file, { throwIfNoEntry: false })?.isFile() ?? false;

function looksLike(place: string, model: string): void {
  const stats = statSync(model, { throwIfNoEntry: false });
  if (!stats) return;
  chmodSync(place, stats.mode & 0o777);
  utimesSync(place, stats.atime, stats.mtime);
}

/** Removes layers of processes that have ended. */
export function dropLeftLayers(root: string): void {
  if (!existsSync(root)) return;
  for (const name of readdirSync(root)) if (leftBehind(name)) dropLayer(path.join(root, name));
}
