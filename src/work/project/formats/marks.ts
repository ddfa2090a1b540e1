// Boxes and cells of Markdown, changed where they stand: everything else of the text comes back byte for byte.
import { joined, proseNumbers, type RawLine, rawLines } from "./raw-lines.ts";

/** Changes lines outside of code blocks; `undefined` leaves a line as it is. */
export function eachProseLine(text: string, change: (line: string, at: number) => string | undefined): string {
  const lines = rawLines(text);
  for (const at of proseNumbers(lines)) {
    const line = lines[at];
    const made = line && change(line.text, at);
    if (line && made !== undefined) lines[at] = { ...line, text: made };
  }
  return joined(lines);
}

const box = /^(\s*[-*]\s+\[)([ xX])(\].*)$/;

/** The line with its box ticked, or emptied; undefined where there is none, or it says so already. */
export function ticked(line: string, on: boolean): string | undefined {
  const [, before, mark, after] = box.exec(line) ?? [];
  return before === undefined || (mark !== " ") === on ? undefined : `${before}${on ? "x" : " "}${after ?? ""}`;
}

/**
 * Cells of tables whose head names all of `columns`. `change` gets a row's cells by the head's names, in lower case, and
 * answers those that change.
 */
export function withCells(
  text: string,
  columns: readonly string[],
  change: (cells: ReadonlyMap<string, string>) => Readonly<Record<string, string>> | undefined,
): string {
  const lines = rawLines(text);
  let head: string[] | undefined;
  let before = -1;
  for (const at of proseNumbers(lines)) {
    const line = lines[at];
    if (!line?.text.trimStart().startsWith("|")) {
      head = undefined;
      continue;
    }
    if (!head || before !== at - 1) head = namesOf(line.text);
    else if (columns.every((name) => head?.includes(name))) lines[at] = withRow(line, head, change);
    before = at;
  }
  return joined(lines);
}

const namesOf = (line: string): string[] => cellsOf(line).map((cell) => cell.trim().toLowerCase());

/** What stands between the bars; `\|` is no bar. */
const cellsOf = (line: string): string[] => {
  const parts = line.split(/(?<!\\)\|/);
  return parts.slice(1, parts.at(-1)?.trim() === "" ? -1 : undefined);
};

function withRow(line: RawLine, head: readonly string[], change: Parameters<typeof withCells>[2]): RawLine {
  const parts = line.text.split(/(?<!\\)\|/);
  const cells = cellsOf(line.text);
  if (cells.every((cell) => /^\s*:?-+:?\s*$/.test(cell))) return line;
  const given = change(new Map(head.map((name, at) => [name, (cells[at] ?? "").trim()])));
  for (const [name, value] of Object.entries(given ?? {})) {
    const place = head.indexOf(name);
    const old = cells[place];
    if (old === undefined || old.trim() === value) continue;
    const [lead = " "] = /^\s*/.exec(old) ?? [];
    parts[place + 1] = (lead + value).padEnd(Math.max(old.length, lead.length + value.length + 1));
  }
  return { ...line, text: parts.join("|") };
}
