// Files that the session itself made, where nothing was before: they may be deleted again without a question.
import { lstatSync, readFileSync } from "node:fs";
import path from "node:path";
import { systemError, withFallback } from "../../base/fallback.ts";
import { describeRepository } from "../git/repositories.ts";

/** Known again by what changes whenever somebody touches a file. */
function sealOf(file: string): string | undefined {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  return stats?.isFile() ? `${stats.dev} ${stats.ino} ${stats.size} ${stats.ctimeMs}` : undefined;
}

export class OwnFiles {
  readonly #workspace: string;
  readonly #made = new Map<string, string>();
  #index: Index | undefined;

  constructor(workspace: string) {
    this.#workspace = workspace;
  }

  /** To be told right after the file was made, or written again while it was still the session's own. Absolute. */
  made(file: string): void {
    const seal = sealOf(file);
    if (seal !== undefined) this.#made.set(file, seal);
  }

  /** It is as the session left it, and git does not track it. */
  owns(file: string): boolean {
    const seal = this.#made.get(file);
    return seal !== undefined && seal === sealOf(file) && !this.tracks(file);
  }

  /**
   * Names stand in git's index as they are, each with a zero byte behind it. One that ends like another counts as
   * tracked, too, which costs a question. Version 4 shortens names, and then everything counts as tracked.
   */
  tracks(file: string): boolean {
    const index = this.#currentIndex();
    if (!index) return false;
    if (index.bytes.readUInt32BE(4) > 3) return true;
    const name = path.relative(this.#workspace, file);
    const folder = path.posix.dirname(name);
    let holds = index.folders.get(folder);
    if (holds === undefined) {
      holds = folder === "." || index.bytes.includes(`${folder}/`);
      index.folders.set(folder, holds);
    }
    return holds && index.bytes.includes(`${name}\0`);
  }

  #currentIndex(): Index | undefined {
    const folder = describeRepository(path.join(this.#workspace, ".git"))?.folders[0];
    if (folder === undefined) return undefined;
    const file = path.join(folder, "index");
    const seal = sealOf(file);
    if (seal !== undefined && this.#index?.seal === seal) return this.#index;
    const bytes = readOptional(file);
    this.#index = bytes && seal !== undefined ? { seal, bytes, folders: new Map() } : undefined;
    return this.#index;
  }
}

interface Index {
  seal: string;
  bytes: Buffer;
  /** Whether any name in the index goes through a folder. */
  folders: Map<string, boolean>;
}

const readOptional = (file: string): Buffer | undefined =>
  withFallback(undefined, systemError, () => readFileSync(file));
