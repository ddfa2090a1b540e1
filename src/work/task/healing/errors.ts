// Where an output says that something is wrong, and a name for what it says that stays the same when only places move.
import { sha256 } from "../../../base/digest.ts";

export interface ErrorPlace {
  file: string;
  line: number;
}

/** From the most telling to the one that fits any compiler: `file.ext:line`. */
const patterns: readonly RegExp[] = [
  /File "([^"]+\.py)", line (\d+)/g,
  /\(([\w$]+\.(?:java|kt)):(\d+)\)/g,
  /--> ([^\s:]+\.rs):(\d+)/g,
  /(?:\(|at )(?:file:\/\/)?([^\s():]+\.[cm]?[jt]sx?):(\d+)/g,
  /([\w./\\@+-]+\.[A-Za-z]\w{0,5})[:(](\d+)/g,
];

/** In the order in which they stand, each once. */
export function errorPlaces(output: string): ErrorPlace[] {
  const found = new Map<string, { place: ErrorPlace; at: number }>();
  for (const pattern of patterns) {
    for (const match of output.matchAll(pattern)) {
      const [, file = "", line = "0"] = match;
      const key = `${file}:${line}`;
      if (!found.has(key)) found.set(key, { place: { file, line: Number(line) }, at: match.index });
    }
  }
  return [...found.values()].toSorted((left, right) => left.at - right.at).map(({ place }) => place);
}

/** Numbers, addresses, times and temporary names differ from run to run of the same failure. */
export function errorSignature(output: string): string {
  const telling = output
    .split("\n")
    .filter((line) => /error|fail|exception|expected|assert|panic|cannot|undefined|not ok/i.test(line))
    .map((line) =>
      line
        .replaceAll(/0x[0-9a-f]+|\d+/gi, "#")
        .replaceAll(/\/tmp\/\S+/g, "#")
        .trim(),
    );
  return sha256([...new Set(telling)].slice(0, 40).join("\n"));
}

/** The same error over the same files has been seen: going on would go in a circle. */
export class Cycles {
  readonly #seen = new Set<string>();

  /** True when it was there before. */
  saw(signature: string, tree: string): boolean {
    const key = `${signature} ${tree}`;
    const before = this.#seen.has(key);
    this.#seen.add(key);
    return before;
  }
}
