// How far apart two words are, and which of several names a mistyped word meant.

/**
 * The Damerau-Levenshtein distance in which a swap of two neighbours counts once: letters left out, added, changed or
 * swapped. Answers `most + 1` as soon as it is larger than `most`.
 */
export function editDistance(left: string, right: string, most = Number.POSITIVE_INFINITY): number {
  if (Math.abs(left.length - right.length) > most) return most + 1;
  let before: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, at) => at);
  for (let row = 1; row <= left.length; row++) {
    const next = [row];
    for (let at = 1; at <= right.length; at++) {
      const same = left[row - 1] === right[at - 1];
      let least = Math.min((last[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1, (last[at - 1] ?? 0) + (same ? 0 : 1));
      if (row > 1 && at > 1 && left[row - 1] === right[at - 2] && left[row - 2] === right[at - 1])
        least = Math.min(least, (before[at - 2] ?? 0) + 1);
      next.push(least);
    }
    if (Math.min(...next) > most) return most + 1;
    before = last;
    last = next;
  }
  return last[right.length] ?? most + 1;
}

/** The name with the fewest edits from `word`, the first of equals; undefined when it is more than `most` away. */
export function nearest(word: string, names: readonly string[], most: (name: string) => number): string | undefined {
  let best: { name: string; distance: number } | undefined;
  for (const name of names) {
    const distance = editDistance(word, name);
    if (!best || distance < best.distance) best = { name, distance };
  }
  return best && best.distance <= most(best.name) ? best.name : undefined;
}

/** The command or option that a person mistyped: one edit in a word of four letters, two in longer ones. */
export const nearestCommand = (word: string, names: readonly string[]): string | undefined =>
  nearest(word.toLowerCase(), names, () => (word.length <= 4 ? 1 : 2));

/** The key or value that a person mistyped: one edit for every four letters, at least one. */
export const nearestKey = (word: string, keys: readonly string[]): string | undefined =>
  nearest(word, keys, () => Math.max(1, Math.floor(word.length / 4)));
