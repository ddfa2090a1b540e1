// Lines of Markdown that stand outside of code blocks and comments, each with its number.

export interface Line {
  /** From 1. */
  number: number;
  text: string;
}

/** What follows in a longer line is not looked at: no such line is a heading or a box. */
const longestLine = 4_000;

/** Lines end with LF or CRLF. */
export function proseLines(text: string): Line[] {
  const lines: Line[] = [];
  let fence: string | undefined;
  for (const [at, raw] of text.split("\n").entries()) {
    const line = (raw.endsWith("\r") ? raw.slice(0, -1) : raw).slice(0, longestLine);
    const mark = /^\s{0,3}(```+|~~~+)/.exec(line)?.[1];
    if (fence !== undefined) {
      if (mark?.startsWith(fence) && line.trim() === mark) fence = undefined;
    } else if (mark) fence = mark;
    else lines.push({ number: at + 1, text: line });
  }
  return lines;
}

/** The first line that a merge has left behind. */
export function conflictLine(text: string): number | undefined {
  const at = text.split("\n").findIndex((line) => /^(?:<{7}|>{7})(?:\s|$)/.test(line));
  return at < 0 ? undefined : at + 1;
}

/** `**Key**: value` and `**Key:** value`. */
export function boldField(line: string): { key: string; value: string } | undefined {
  const [, key = "", value = ""] = /^\s*(?:[-*]\s+)?\*\*([^*:]{1,60}?)(?::\*\*|\*\*\s*:)(.*)$/.exec(line) ?? [];
  return key === "" ? undefined : { key: key.trim().toLowerCase(), value: value.trim() };
}
