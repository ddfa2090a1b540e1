/** The name at most two edits away (one for short words). */
export function nearest(word: string, names: readonly string[]): string | undefined {
  const allowed = word.length <= 4 ? 1 : 2;
  const ranked = names.map((name) => ({ name, far: distance(word.toLowerCase(), name) })).sort((a, b) => a.far - b.far);
  const [best] = ranked;
  return best && best.far <= allowed ? best.name : undefined;
}

function distance(left: string, right: string): number {
  let before = Array.from({ length: right.length + 1 }, (_, at) => at);
  for (let row = 1; row <= left.length; row++) {
    const now = [row];
    for (let at = 1; at <= right.length; at++) {
      const change = (before[at - 1] ?? 0) + (left[row - 1] === right[at - 1] ? 0 : 1);
      now[at] = Math.min(change, (before[at] ?? 0) + 1, (now[at - 1] ?? 0) + 1);
    }
    before = now;
  }
  return before[right.length] ?? 0;
}
