// Whether repairs go in a circle: the same error met the same files before.
import { sha256 } from "../../../base/digest.ts";

export type Verdict =
  /** Not seen before. */
  | "new"
  /** The error came back with files that it was seen with: another way has to be tried. */
  | "change"
  /** And again, after another way was asked for. */
  | "stop";

/** One attempt: what failed, and the files as they were then, or the patch that made them so. */
export interface Sighting {
  signature: string;
  patch: string;
}

/** Kept as data, so that what was seen outlives the process. */
export class Cycles {
  readonly #seen: Set<string>;
  #circles: number;

  constructor(seen: readonly string[] = []) {
    this.#seen = new Set(seen.filter((key) => !key.startsWith(circle)));
    this.#circles = seen.filter((key) => key.startsWith(circle)).length;
  }

  judge({ signature, patch }: Sighting): Verdict {
    const key = sha256(`${signature}\n${sha256(samePatch(patch))}`);
    if (!this.#seen.has(key)) {
      this.#seen.add(key);
      return "new";
    }
    this.#circles += 1;
    return this.#circles > 1 ? "stop" : "change";
  }

  /** True when it was there before. */
  saw(signature: string, patch: string): boolean {
    return this.judge({ signature, patch }) !== "new";
  }

  get seen(): string[] {
    return [...this.#seen, ...Array.from({ length: this.#circles }, (_, index) => `${circle}${index}`)];
  }
}

const circle = "circle-";

/** A patch is the same whatever its blob names, places and trailing blanks are. */
const samePatch = (patch: string): string =>
  patch
    .split("\n")
    .filter((line) => !line.startsWith("index "))
    .map((line) => (line.startsWith("@@") ? "@@" : line.trimEnd()))
    .join("\n");
