/** Beyond this many comparisons the middle of two texts counts as wholly replaced. */
const comparisonLimit = 4_000_000;

/**
 * For every line of `after` the index of the line of `before` that it continues, or -1 for a new line; ascending.
 * A longest common subsequence, except for texts so large that only their equal ends are found.
 */
export function matchLines(before: readonly string[], after: readonly string[]): Int32Array {
  const match = new Int32Array(after.length).fill(-1);
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) {
    match[start] = start;
    start += 1;
  }
  let beforeEnd = before.length;
  let afterEnd = after.length;
  while (beforeEnd > start && afterEnd > start && before[beforeEnd - 1] === after[afterEnd - 1]) {
    beforeEnd -= 1;
    afterEnd -= 1;
    match[afterEnd] = beforeEnd;
  }
  const middle = { before: before.slice(start, beforeEnd), after: after.slice(start, afterEnd) };
  if (middle.before.length * middle.after.length > comparisonLimit) return match;
  matchMiddle(middle, start, match);
  return match;
}

function matchMiddle(middle: { before: string[]; after: string[] }, start: number, match: Int32Array): void {
  const { before, after } = middle;
  const width = after.length + 1;
  const longest = new Uint32Array((before.length + 1) * width);
  const at = (row: number, column: number) => longest[row * width + column] ?? 0;
  for (let row = before.length - 1; row >= 0; row -= 1) {
    for (let column = after.length - 1; column >= 0; column -= 1) {
      longest[row * width + column] =
        before[row] === after[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  let row = 0;
  let column = 0;
  while (row < before.length && column < after.length) {
    if (before[row] === after[column]) {
      match[start + column] = start + row;
      row += 1;
      column += 1;
    } else if (at(row + 1, column) >= at(row, column + 1)) row += 1;
    else column += 1;
  }
}

/** Lines added and removed between two texts. */
export function countChange(before: string, after: string): { added: number; removed: number } {
  const left = splitLines(before);
  const right = splitLines(after);
  let kept = 0;
  for (const index of matchLines(left, right)) if (index >= 0) kept += 1;
  return { added: right.length - kept, removed: left.length - kept };
}

/** Lines without their `\n`; the end of the last line is not a line of its own. */
export function splitLines(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
