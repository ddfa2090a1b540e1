// Which files of some folders have changed since they were last asked about, as the kernel tells it. Bounded: where there are too many
// folders or changes, or the kernel refuses, it says that it does not know, and whoever asks looks at all files again.
import { type FSWatcher, watch } from "node:fs";
import path from "node:path";
import { systemError, withFallback } from "../../base/fallback.ts";

/** Each is one of the kernel's watches, of which a user has some ten thousand. */
const mostFolders = 2_000;
/** A switched branch, an install: looking at all of them is faster. */
const mostChanges = 500;

export class FolderWatch {
  readonly #root: string;
  readonly #files: () => ReadonlySet<string>;
  readonly #watchers = new Map<string, FSWatcher>();
  #changed = new Set<string>();
  #unknown = true;
  /** Told once for each time that something changes after it was last asked. */
  onChange: () => void = () => undefined;

  /** `files`: those that are known, to tell a folder that is new from a file. */
  constructor(root: string, files: () => ReadonlySet<string>) {
    this.#root = root;
    this.#files = files;
  }

  /** From now on these folders are watched and no others; false: they are too many, or the kernel refuses. */
  follow(folders: ReadonlySet<string>): boolean {
    if (folders.size > mostFolders) {
      this.close();
      return false;
    }
    for (const [folder, watcher] of this.#watchers)
      if (!folders.has(folder)) {
        watcher.close();
        this.#watchers.delete(folder);
      }
    for (const folder of folders) {
      if (this.#watchers.has(folder)) continue;
      const watcher = this.#open(folder);
      if (!watcher) {
        this.close();
        return false;
      }
      this.#watchers.set(folder, watcher);
    }
    return true;
  }

  /** Nothing that happened before this counts any more. */
  begin(): void {
    this.#changed = new Set();
    this.#unknown = this.#watchers.size === 0;
  }

  /** What has changed since `begin` or the last time; undefined: it is not known. */
  async take(): Promise<string[] | undefined> {
    // What the kernel has to tell is told between two turns of the loop.
    for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
    const { size } = this.#watchers;
    if (this.#unknown || size === 0) return undefined;
    const changed = [...this.#changed];
    this.#changed = new Set();
    return changed;
  }

  close(): void {
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
    this.#unknown = true;
  }

  #open(folder: string): FSWatcher | undefined {
    const place = path.join(this.#root, folder);
    const watcher = withFallback(undefined, systemError, () => watch(place, { persistent: false }));
    watcher?.on("change", (_kind, name) => this.#note(folder, name === null ? "" : String(name)));
    watcher?.on("error", () => this.lose());
    return watcher;
  }

  #note(folder: string, name: string): void {
    const file = path.posix.join(folder, name);
    const wasQuiet = this.#changed.size === 0 && !this.#unknown;
    // A folder that is new or gone brings others with it; ignore rules decide over any file.
    const isFile = this.#files().has(file) || /\.[A-Za-z0-9]{1,8}$/.test(name);
    if (name === "" || !isFile || /^\.(?:git)?ignore$/.test(name) || this.#changed.size >= mostChanges) this.lose();
    else this.#changed.add(file);
    if (wasQuiet) this.onChange();
  }

  /** What it knew is lost. */
  lose(): void {
    this.#unknown = true;
  }
}
