// A diff with what was before on the left and what is there now on the right.
import type { Look } from "../text/style.ts";
import { hardWrap, padEnd } from "../text/width.ts";
import { markWords, type WordRange } from "./changed-words.ts";
import type { PatchLine } from "./patch-lines.ts";

/** Narrower than that, each half would break most lines of code. */
export const leastWidth = 110;

interface Cell {
  number: string;
  text: string;
  sign: string;
  words: readonly WordRange[];
}

/** `words`: which words of a line differ, by the line's number. */
export function besideEachOther(
  lines: readonly PatchLine[],
  words: ReadonlyMap<number, readonly WordRange[]> | undefined,
  gutter: number,
  look: Look,
): string[] {
  const { style } = look;
  const half = Math.floor((look.width - 3) / 2);
  const cell = (line: PatchLine, at: number, number = line.number): Cell => ({
    ...{ number, text: line.text, sign: line.sign },
    words: words?.get(at) ?? [],
  });
  const drawn: string[] = [];
  const row = (left: Cell | undefined, right: Cell | undefined) => {
    const [before, after] = [cellLines(left, gutter, half, look), cellLines(right, gutter, half, look)];
    for (let at = 0; at < Math.max(before.length, after.length); at++)
      drawn.push(`${padEnd(before[at] ?? "", half)} ${style.dim(style.symbols.bar)} ${after[at] ?? ""}`.trimEnd());
  };
  for (let at = 0; at < lines.length; ) {
    const line = lines[at];
    if (!line) break;
    if (line.sign === "@" || line.sign === "\\") {
      drawn.push(style.dim(`${" ".repeat(gutter)} ${style.symbols.ellipsis} ${line.text}`.trimEnd()));
      at += 1;
    } else if (line.sign === " ") {
      row(cell(line, at, line.before), cell(line, at));
      at += 1;
    } else {
      const removed = run(lines, at, "-");
      const added = run(lines, at + removed, "+");
      for (let pair = 0; pair < Math.max(removed, added); pair++) {
        const [left, right] = [lines[at + pair], lines[at + removed + pair]];
        row(
          left && pair < removed ? cell(left, at + pair) : undefined,
          right && pair < added ? cell(right, at + removed + pair) : undefined,
        );
      }
      at += removed + added;
    }
  }
  return drawn;
}

function run(lines: readonly PatchLine[], from: number, sign: string): number {
  let count = 0;
  while (lines[from + count]?.sign === sign) count++;
  return count;
}

function cellLines(cell: Cell | undefined, gutter: number, half: number, { style }: Look): string[] {
  if (!cell) return [];
  const paint = cell.sign === "+" ? style.green : cell.sign === "-" ? style.red : style.dim;
  let from = 0;
  return hardWrap(cell.text, half - gutter - 3).map((piece, at) => {
    const marked = markWords(piece, from, cell.words, style.inverse);
    from += piece.length;
    const number = style.dim(at === 0 ? cell.number.padStart(gutter) : " ".repeat(gutter));
    return `${number} ${paint(`${at === 0 ? cell.sign : " "} ${marked}`.trimEnd())}`;
  });
}
