import type { Look } from "./style.ts";
import { cutEnd, padEnd, textWidth, wrap } from "./width.ts";

export interface Column {
  title: string;
  /** May be cut when the terminal is narrow; others never are. */
  flexible?: boolean;
  right?: boolean;
  /** Of a flexible last column: goes on below instead of being cut. */
  wraps?: boolean;
}

/** Cells are text without colours; `paint` colours a finished cell. */
export function renderTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  look: Look,
  paint: (cell: string, row: number, column: number) => string = (cell) => cell,
): string[] {
  const widths = columns.map((column, at) =>
    Math.max(textWidth(column.title), ...rows.map((row) => textWidth(row[at] ?? ""))),
  );
  shrink(widths, columns, look.width);
  const line = (cells: readonly string[], style: (cell: string, column: number) => string) =>
    cells
      .map((cell, at) => {
        const width = widths[at] ?? 0;
        const cut = columns[at]?.flexible ? cutEnd(cell, width, look.style.symbols.ellipsis) : cell;
        const space = " ".repeat(Math.max(0, width - textWidth(cut)));
        return columns[at]?.right ? space + style(cut, at) : style(cut, at) + space;
      })
      .join("  ")
      .trimEnd();
  const head = line(
    columns.map((column) => column.title),
    (cell) => look.style.dim(cell),
  );
  return [
    head,
    ...rows.flatMap((row, index) =>
      broken(row, columns, widths).map((part) => line(part, (cell, at) => paint(cell, index, at))),
    ),
  ];
}

/** The row, and what of its last cell goes below. */
function broken(row: readonly string[], columns: readonly Column[], widths: readonly number[]): string[][] {
  if (columns.at(-1)?.wraps !== true) return [[...row]];
  const others = row.slice(0, columns.length - 1);
  return wrap(row[others.length] ?? "", widths[others.length] ?? 0).map((part, at) => [
    ...others.map((cell) => (at === 0 ? cell : "")),
    part,
  ]);
}

function shrink(widths: number[], columns: readonly Column[], room: number): void {
  const total = () => widths.reduce((sum, width) => sum + width, 2 * (widths.length - 1));
  while (total() > room) {
    let widest = -1;
    for (const [at, column] of columns.entries())
      if (column.flexible && (widths[at] ?? 0) > (widths[widest] ?? 12)) widest = at;
    if (widest === -1) return;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
}

/** For commands that a person copies: the terminal breaks them, and puts them together again. */
export const whole = (look: Look): Look => ({ ...look, width: Number.POSITIVE_INFINITY });

/** `name  value` lines, names aligned; a long value goes on below itself. What is longer than a line stays whole, to be copied. */
export function renderPairs(pairs: readonly (readonly [string, string])[], look: Look): string[] {
  const width = Math.max(0, ...pairs.map(([name]) => textWidth(name)));
  const room = look.width - width - 2;
  return pairs.flatMap(([name, value]) => {
    const fits = value.split(/\s/).every((word) => textWidth(word) <= room);
    const [first = "", ...more] = fits ? wrap(value, room) : [value];
    return [`${look.style.dim(padEnd(name, width))}  ${first}`, ...more.map((line) => " ".repeat(width + 2) + line)];
  });
}
