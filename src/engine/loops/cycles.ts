// Whether repairs go in a circle: the same error met the same files before.
import { sha256 } from "../../base/digest.ts";
import { meet, newRecurrence, type Recurrence, standing } from "./recurrence.ts";

export type Verdict =
  /** Not seen before. */
  | "new"
  /** The error came back with files that it was seen with: another way has to be tried. */
  | "change"
  /** And again, after another way was asked for. */
  | "stop";

/** One attempt: what failed, and the files as they were then, or the patch that made them so. */
interface Sighting {
  signature: string;
  patch: string;
}

const verdicts = { on: "new", hint: "change", stop: "stop" } as const;

/** Kept as data, so that what was seen outlives the process. */
export class Cycles {
  readonly #circles: Recurrence;

  constructor(seen: readonly string[] = []) {
    const times = seen.filter((key) => key.startsWith(circle)).length;
    this.#circles = newRecurrence(
      seen.filter((key) => !key.startsWith(circle)),
      times,
    );
  }

  judge({ signature, patch }: Sighting): Verdict {
    const again = meet(this.#circles, sha256(`${signature}\n${sha256(samePatch(patch))}`));
    return again ? verdicts[standing(this.#circles.times, { hint: 1, stop: 2 })] : "new";
  }

  /** True when it was there before. */
  saw(signature: string, patch: string): boolean {
    return this.judge({ signature, patch }) !== "new";
  }

  get seen(): string[] {
    const { seen, times } = this.#circles;
    return [...seen, ...Array.from({ length: times }, (_, index) => `${circle}${index}`)];
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
