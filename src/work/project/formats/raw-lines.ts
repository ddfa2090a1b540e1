// Lines of a text with their own endings: what is not changed comes back byte for byte.

export interface RawLine {
  text: string;
  /** LF, CRLF, or nothing for a last line without one. */
  end: string;
}

export function rawLines(text: string): RawLine[] {
  if (text === "") return [];
  const pieces = text.split("\n");
  const last = pieces.pop() ?? "";
  const lines = pieces.map((piece) =>
    piece.endsWith("\r") ? { text: piece.slice(0, -1), end: "\r\n" } : { text: piece, end: "\n" },
  );
  return last === "" ? lines : [...lines, { text: last, end: "" }];
}

export const joined = (lines: readonly RawLine[]): string => lines.map(({ text, end }) => text + end).join("");

/** How lines of this text end, for one that is added. */
export const usualEnd = (lines: readonly RawLine[]): string => lines[0]?.end || "\n";

/** Puts lines before place `at`; a last line without an ending gets one first. */
export function inserted(lines: readonly RawLine[], at: number, added: readonly string[]): RawLine[] {
  const end = usualEnd(lines);
  const before = lines
    .slice(0, at)
    .map((line, place, all) => (place === all.length - 1 && line.end === "" ? { ...line, end } : line));
  return [...before, ...added.map((text) => ({ text, end })), ...lines.slice(at)];
}

/** Numbers of the lines, from 0, that stand outside of code blocks. */
export function proseNumbers(lines: readonly RawLine[]): number[] {
  const found: number[] = [];
  let fence: string | undefined;
  for (const [at, { text }] of lines.entries()) {
    const mark = /^\s{0,3}(```+|~~~+)/.exec(text)?.[1];
    if (fence !== undefined) {
      if (mark?.startsWith(fence) && text.trim() === mark) fence = undefined;
    } else if (mark) fence = mark;
    else found.push(at);
  }
  return found;
}
