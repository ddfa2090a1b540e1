// Phases of ROADMAP.md added, inserted, renamed, taken out and renumbered, where they stand.
import { eachProseLine, withCells } from "./marks.ts";
import { comparePhases, splitPhase } from "./phase-number.ts";
import { inserted, joined, proseNumbers, type RawLine, rawLines } from "./raw-lines.ts";

export interface NewPhase {
  number: string;
  name: string;
  goal?: string;
  dependsOn?: string;
  /** Put between two others. */
  urgent: boolean;
}

const listed = /^(\s*[-*]\s+\[[ xX]\]\s+\*{0,2}Phase\s+)([\w.-]+?)(\s*:\s*)(.*)$/;
const headed = /^(#{2,4}\s+(?:[^\w\s]+\s*)?Phase\s+)([\w.-]+?)(\s*:\s*)(.*)$/;

const numberOf = (given: string | undefined): string | undefined =>
  given === undefined ? undefined : splitPhase(given)?.number;

interface Places {
  /** Line of the box, and of the section with its end, by the phase. */
  boxes: Map<string, number>;
  sections: Map<string, { from: number; to: number }>;
}

function placesOf(lines: readonly RawLine[]): Places {
  const places: Places = { boxes: new Map(), sections: new Map() };
  let open: string | undefined;
  const close = (at: number) => {
    const section = open === undefined ? undefined : places.sections.get(open);
    if (section) section.to = at;
    open = undefined;
  };
  for (const at of proseNumbers(lines)) {
    const text = lines[at]?.text ?? "";
    const box = numberOf(listed.exec(text)?.[2]);
    if (box !== undefined && !places.boxes.has(box)) places.boxes.set(box, at);
    if (!/^#{1,4}\s|^<\/?details>|^---+\s*$/.test(text)) continue;
    const heading = numberOf(headed.exec(text)?.[2]);
    // A smaller heading within a phase's section belongs to it.
    if (heading === undefined && open !== undefined && /^####\s/.test(text)) continue;
    close(at);
    if (heading === undefined || places.sections.has(heading)) continue;
    places.sections.set(heading, { from: at, to: lines.length });
    open = heading;
  }
  return places;
}

/** Behind the last phase before it: its box, its section, and its row in the table of progress. */
export function withPhase(text: string, phase: NewPhase): string {
  let lines = rawLines(text);
  const places = placesOf(lines);
  const last = <V>(found: ReadonlyMap<string, V>): V | undefined => {
    const before = [...found.keys()].filter(
      (number) => comparePhases(number, phase.number) < 0 && !number.startsWith("999"),
    );
    const nearest = before.toSorted(comparePhases).at(-1);
    return nearest === undefined ? undefined : found.get(nearest);
  };
  const section = sectionOf(phase);
  const before = last(places.sections);
  lines = before === undefined ? atEnd(lines, section) : inserted(lines, before.to, spaced(lines, before.to, section));
  const box = last(placesOf(lines).boxes);
  const title = `${phase.name}${phase.urgent ? " (INSERTED)" : ""}`;
  if (box !== undefined)
    lines = inserted(lines, box + 1, [
      `- [ ] **Phase ${phase.number}: ${title}**${phase.goal === undefined ? "" : ` - ${phase.goal}`}`,
    ]);
  return withRow(joined(lines), phase);
}

const sectionOf = ({ number, name, goal = "[To be planned]", dependsOn, urgent }: NewPhase): string[] => [
  `### Phase ${number}: ${name}${urgent ? " (INSERTED)" : ""}`,
  `**Goal**: ${goal}`,
  `**Depends on**: ${dependsOn === undefined ? "Nothing" : `Phase ${dependsOn}`}`,
  "**Requirements**: TBD",
  "**Plans**: 0 plans",
];

const atEnd = (lines: readonly RawLine[], section: readonly string[]): RawLine[] =>
  inserted(lines, lines.length, ["", ...section]);

/** One empty line on either side, as many as are missing. */
function spaced(lines: readonly RawLine[], at: number, section: readonly string[]): string[] {
  const isEmpty = (place: number) => lines[place]?.text.trim() === "";
  return [...(isEmpty(at - 1) ? [] : [""]), ...section, ...(at >= lines.length || isEmpty(at) ? [] : [""])];
}

function withRow(text: string, { number, name }: NewPhase): string {
  const lines = rawLines(text);
  let place: number | undefined;
  let head: string[] = [];
  let inTable = false;
  for (const at of proseNumbers(lines)) {
    const cells = (lines[at]?.text ?? "").split("|").map((cell) => cell.trim());
    if (cells.length < 4 || cells[0] !== "") {
      inTable = false;
      continue;
    }
    if (!inTable) head = cells.slice(1, -1).map((cell) => cell.toLowerCase());
    inTable = true;
    if (!head.includes("phase") || !head.includes("plans complete")) continue;
    const row = numberOf(/^(?:Phase\s+)?([\w-]+(?:\.\d+)*)/.exec(cells[head.indexOf("phase") + 1] ?? "")?.[1]);
    if (row === undefined ? /^:?-+:?$/.test(cells[1] ?? "") : comparePhases(row, number) < 0) place = at + 1;
  }
  if (place === undefined) return text;
  const values: Record<string, string> = {
    phase: `${number}. ${name}`,
    "plans complete": "0/0",
    status: "Not started",
  };
  const columns = text.length > 0 ? tableHead(lines, place) : head;
  return joined(inserted(lines, place, [`| ${columns.map((column) => values[column] ?? "-").join(" | ")} |`]));
}

/** Names of the columns of the table that ends before line `at`. */
function tableHead(lines: readonly RawLine[], at: number): string[] {
  let first = at - 1;
  while (lines[first - 1]?.text.trimStart().startsWith("|")) first -= 1;
  const cells = (lines[first]?.text ?? "").split("|").slice(1, -1);
  return cells.map((cell) => cell.trim().toLowerCase());
}

/** Its box, its section and its row go; what depended on it depends on what it depended on. */
export function withoutPhase(text: string, number: string): string {
  const lines = rawLines(text);
  const { boxes, sections } = placesOf(lines);
  const gone = new Set<number>();
  const box = boxes.get(number);
  if (box !== undefined) gone.add(box);
  const section = sections.get(number);
  for (let at = section?.from ?? 0; at < (section?.to ?? 0); at += 1) gone.add(at);
  for (const [at, { text: line }] of lines.entries()) if (rowOf(line) === number) gone.add(at);
  const field = [...gone].flatMap((at) => dependsOn.exec(lines[at]?.text ?? "")?.[2] ?? [])[0];
  const own = field?.trim() || "Nothing";
  const left = joined(lines.filter((_, at) => !gone.has(at)));
  return eachProseLine(left, (line) => {
    const [, before, value = ""] = dependsOn.exec(line) ?? [];
    if (before === undefined) return undefined;
    const made = value.replace(/\bPhase\s+(\d[\w]*(?:\.\d+)*)/g, (all: string, given: string) =>
      numberOf(given) === number ? own : all,
    );
    return made === value ? undefined : before + made;
  });
}

const dependsOn = /^(\s*(?:[-*]\s+)?\*\*Depends on(?::\*\*|\*\*\s*:)\s*)(.*)$/i;

/** Of a row of the table of progress: `| 3. Name | …`. */
const rowOf = (line: string): string | undefined =>
  numberOf(/^\s*\|\s*(?:Phase\s+)?(\d[\w]*(?:\.\d+)*)\.?\s[^|]*\|/.exec(line)?.[1]);

/** The sections of these phases, put into one block with a line for each; `numbers`: those that had one. */
export function folded(
  text: string,
  phases: readonly { number: string; name: string }[],
  title: string,
): { text: string; numbers: string[] } {
  const lines = rawLines(text);
  const { sections } = placesOf(lines);
  const gone = new Set<number>();
  const own = phases.filter(({ number }) => sections.has(number) && !isFolded(lines, sections.get(number)?.from ?? 0));
  for (const { number } of own) {
    const section = sections.get(number);
    for (let at = section?.from ?? 0; at < (section?.to ?? 0); at += 1) gone.add(at);
  }
  const first = Math.min(...gone);
  if (own.length === 0) return { text, numbers: [] };
  const rows = own.map(({ number, name }) => `- [x] Phase ${number}: ${name}`);
  const block = ["<details>", `<summary>${title}</summary>`, "", ...rows, "", "</details>", ""];
  const before = lines.slice(0, first);
  const after = lines.slice(first).filter((_, at) => !gone.has(at + first));
  return {
    text: joined([...inserted(before, before.length, block), ...after]),
    numbers: own.map(({ number }) => number),
  };
}

function isFolded(lines: readonly RawLine[], at: number): boolean {
  const marks = lines.slice(0, at).filter(({ text }) => /<\/?details>/.test(text));
  return marks.at(-1)?.text.includes("<details>") === true;
}

/** Where phases are named by number: boxes, headings, dependencies, rows and lists of plans. */
export function renumbered(text: string, numbers: ReadonlyMap<string, string>): string {
  const spelled = (given: string): string => {
    const known = splitPhase(given);
    const to = known && numbers.get(known.number);
    return to === undefined ? given : padded(given, to);
  };
  return eachProseLine(text, (line) => {
    const made = line
      .replace(/\b(Phases?\s+)(\d[\w]*(?:\.\d+)*)\b/g, (_all, word: string, given: string) => word + spelled(given))
      .replace(
        /^(\s*\|\s*)(\d[\w]*(?:\.\d+)*)(?=\.?\s)/,
        (_all, start: string, given: string) => start + spelled(given),
      )
      .replace(
        /(\[[ xX]\]\s+[*`]*)(\d[\w]*(?:\.\d+)*)(?=-\d)/,
        (_all, start: string, given: string) => start + spelled(given),
      );
    return made === line ? undefined : made;
  });
}

/** As wide as it was written: `04` becomes `03`. */
export function padded(like: string, number: string): string {
  const [whole = "", ...rest] = number.split(".");
  const wide = /^0\d/.test(like) ? 2 : 1;
  return [whole.padStart(wide, "0"), ...rest].join(".");
}

export function renamedPhase(text: string, number: string, { name, goal }: { name?: string; goal?: string }): string {
  let open = false;
  const made = eachProseLine(text, (line) => {
    const box = listed.exec(line);
    const heading = headed.exec(line);
    if (heading || /^#{1,3}\s/.test(line)) open = numberOf(heading?.[2]) === number;
    const found = numberOf(box?.[2]) === number ? box : open ? heading : undefined;
    if (found && name !== undefined) {
      const [, before = "", given = "", colon = "", rest = ""] = found;
      const tail =
        /((?:\s*\(INSERTED\))?\s*(?:\*\*.*)?)$/.exec(box ? rest : (/\s*\(INSERTED\)\s*$/.exec(rest)?.[0] ?? ""))?.[1] ??
        "";
      return `${before}${given}${colon}${name}${tail}`;
    }
    const field =
      open && goal !== undefined ? /^(\s*(?:[-*]\s+)?\*\*Goal(?::\*\*|\*\*\s*:)\s*)/.exec(line)?.[1] : undefined;
    return field === undefined || goal === undefined ? undefined : field + goal;
  });
  if (name === undefined) return made;
  return withCells(made, ["phase", "status"], (row) => {
    const [, given, dot = ". "] = /^((?:Phase\s+)?\d[\w]*(?:\.\d+)*)(\.?\s+)/.exec(row.get("phase") ?? "") ?? [];
    return numberOf(given?.replace(/^Phase\s+/i, "")) === number ? { phase: `${given}${dot}${name}` } : undefined;
  });
}
