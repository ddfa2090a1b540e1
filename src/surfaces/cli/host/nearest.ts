/** The name at most two edits away (one for short words). */
export function nearest(word: string, names: readonly string[]): string | undefined {
  const allowed = word.length <= 4 ? 1 : 2;
  const ranked = names.map((name) => ({ name, far: distance(word.toLowerCase(), name) })).sort((a, b) => a.far - b.far);
  const [best] = ranked;
  return best && best.far <= allowed ? best.name : undefined;
}

/** Insertions, deletions, changes and swaps of neighbours. */
function distance(left: string, right: string): number {
  const rows: number[][] = [Array.from({ length: right.length + 1 }, (_, at) => at)];
  const cell = (row: number, at: number) => rows[row]?.[at] ?? 0;
  for (let row = 1; row <= left.length; row++) {
    rows.push([row]);
    for (let at = 1; at <= right.length; at++) {
      const change = cell(row - 1, at - 1) + (left[row - 1] === right[at - 1] ? 0 : 1);
      const swapped = row > 1 && at > 1 && left[row - 1] === right[at - 2] && left[row - 2] === right[at - 1];
      const swap = swapped ? cell(row - 2, at - 2) + 1 : change;
      rows[row]?.push(Math.min(change, swap, cell(row - 1, at) + 1, cell(row, at - 1) + 1));
    }
  }
  return cell(left.length, right.length);
}
