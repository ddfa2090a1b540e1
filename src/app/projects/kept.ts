// What a run of a step has written down for whoever goes on with it after a kill: one file for each thing that is worked on.
import { existsSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { sha256 } from "../../base/digest.ts";
import { jsonOf } from "../../base/json-text.ts";
import { writeAtomic } from "../../io/files/bytes.ts";
import { makePrivateFolder } from "../../io/places/places.ts";
import type { Json } from "../../protocol/message.ts";
import type { Kept } from "../../work/project/work/world.ts";
import type { Program } from "../program/program.ts";

/** Written in the order of the calls; an incognito run keeps it in memory only. */
export class RunFile implements Kept {
  readonly #file: string;
  readonly #stored: boolean;
  #known: Map<string, Json>;
  #writing: Promise<void> = Promise.resolve();

  /** `name`: what is worked on, as `execute-3`. */
  constructor(program: Pick<Program, "project" | "incognito">, name: string) {
    this.#file = path.join(program.project.planning, "runs", `${fileName(name)}.json`);
    this.#stored = !program.incognito;
    this.#known = this.#stored ? read(this.#file) : new Map();
  }

  get(key: string): Json | undefined {
    return this.#known.get(key);
  }

  set(key: string, value: Json): Promise<void> {
    this.#known.set(key, value);
    return this.#queue(() => this.#write());
  }

  drop(key: string): Promise<void> {
    this.#known.delete(key);
    return this.#queue(() => this.#write());
  }

  clear(): Promise<void> {
    this.#known = new Map();
    return this.#queue(async () => rmSync(this.#file, { force: true }));
  }

  #queue(work: () => Promise<void>): Promise<void> {
    // What one of them could not write does not keep the next from being written.
    const written = this.#writing.catch(() => undefined).then(work);
    this.#writing = written;
    return written;
  }

  async #write(): Promise<void> {
    if (!this.#stored) return;
    const folder = path.dirname(this.#file);
    makePrivateFolder(folder);
    await writeAtomic(this.#file, JSON.stringify(Object.fromEntries(this.#known)), { root: folder, mode: 0o600 });
  }
}

const longestName = 80;

/** A person's words stand in it: they are kept from leading to another folder, or being longer than a name may be. */
const fileName = (name: string): string =>
  /^[\w. -]+$/.test(name) && name.length <= longestName ? name : sha256(name).slice(0, 32);

function read(file: string): Map<string, Json> {
  if (!existsSync(file)) return new Map();
  const found = jsonOf(readFileSync(file, "utf8"));
  return typeof found === "object" && found !== null && !Array.isArray(found)
    ? new Map(Object.entries(found as { [key: string]: Json }))
    : new Map();
}
