// Markdown of the documents: sections that hold facts only, each fact with the place that it is read from.
import { escapeLine } from "../../base/escape.ts";
import type { Mark } from "./codebase.ts";

/** A name of a file may hold anything: as code it is one word. */
export const code = (text: string): string => {
  const flat = text.replace(/[\r\n\t]/g, "?").replace(/`/g, "'");
  return `\`${flat}\``;
};

export const place = ({ path, line }: Pick<Mark, "path" | "line">): string => code(`${path}:${line}`);

/** Words of a source, shown as words: nothing of it is markup. */
export const said = (text: string): string => text.replace(/[<>|[\]*_#`\\]/g, "\\$&");

export interface Section {
  title: string;
  lines: readonly string[];
}

/** A section without a fact says so. What a source or a name hides is shown: nothing of it moves a cursor or turns a line. */
export function document(title: string, intro: string, sections: readonly Section[]): string {
  const parts = sections.map(({ title: name, lines }) => {
    const body = lines.length === 0 ? "Nothing was found." : lines.map(escapeLine).join("\n");
    return `## ${name}\n\n${body}\n`;
  });
  return `# ${title}\n\n${escapeLine(intro)}\n\n${parts.join("\n")}`;
}

/** At most so many; what is left is counted. */
export function some(lines: readonly string[], most: number): string[] {
  if (lines.length <= most) return [...lines];
  return [...lines.slice(0, most), `- … and ${lines.length - most} more`];
}

export const bullets = (entries: readonly string[], most = 30): string[] =>
  some(
    entries.map((entry) => `- ${entry}`),
    most,
  );

export const counted = <T>(items: Iterable<T>, keyOf: (item: T) => string | undefined): [string, T[]][] => {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    if (key === undefined) continue;
    const found = groups.get(key);
    if (found) found.push(item);
    else groups.set(key, [item]);
  }
  return [...groups].toSorted((a, b) => b[1].length - a[1].length || (a[0] < b[0] ? -1 : 1));
};

export const number = (count: number, one: string, many = `${one}s`): string =>
  `${String(count).replace(/\B(?=(?:\d{3})+$)/g, ",")} ${count === 1 ? one : many}`;
