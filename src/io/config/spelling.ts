/** The candidate that `word` most likely meant, undefined when none is near. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  let best: { text: string; distance: number } | undefined;
  for (const text of candidates) {
    const distance = editDistance(word, text);
    if (!best || distance < best.distance) best = { text, distance };
  }
  return best && best.distance <= Math.max(1, Math.floor(word.length / 4)) ? best.text : undefined;
}

/** Levenshtein distance in which two neighbours that changed places count once. */
function editDistance(left: string, right: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, at) => at);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const same = left[row - 1] === right[column - 1];
      const swapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      const cost = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
      current.push(cost);
    }
    beforeLast = last;
    last = current;
  }
  return last[right.length] ?? 0;
}
