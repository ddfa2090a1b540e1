// The lines around a place, as the one who repairs reads them.
const around = 6;
const longestLine = 300;

/** Numbered, with a mark at the line itself; empty when there is no such line. */
export function excerpt(text: string, line: number): string {
  const lines = text.split("\n");
  if (line < 1 || line > lines.length) return "";
  const first = Math.max(1, line - around);
  const last = Math.min(lines.length, line + around);
  const width = String(last).length;
  return lines
    .slice(first - 1, last)
    .map((content, index) => {
      const number = first + index;
      return `${number === line ? ">" : " "} ${String(number).padStart(width)}  ${content.slice(0, longestLine)}`;
    })
    .join("\n");
}
