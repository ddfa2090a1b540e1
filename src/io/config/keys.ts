// The keys of the configuration files: every setting by the path at which a file names it.
import type { Kind, ProjectMay, Row } from "./setting-kinds.ts";
import { settingsTable } from "./settings-table.ts";

export interface Key {
  /** `*` stands for a name that the person chooses. */
  path: readonly string[];
  kind: Kind;
  project: ProjectMay;
  description: string;
}

export const keyOf = ([path, { kind, project, description }]: [string, Row]): Key => ({
  path: path.split("."),
  ...{ kind, project, description },
});

export const keys: readonly Key[] = Object.entries<Row>(settingsTable).map(keyOf);

const fits = (pattern: readonly string[], path: readonly string[]) =>
  pattern.length === path.length && pattern.every((word, at) => word === "*" || word === path[at]);

/** By the first word: a section has few keys, and a file of servers many lines. */
const sections = new WeakMap<readonly Key[], Map<string, Key[]>>();

function sectionOf(word: string | undefined, among: readonly Key[]): readonly Key[] {
  if (word === undefined) return among;
  const known = sections.get(among) ?? new Map<string, Key[]>();
  sections.set(among, known);
  const found = known.get(word) ?? among.filter(({ path: [first] }) => first === word || first === "*");
  known.set(word, found);
  return found;
}

export const findKey = (path: readonly string[], among: readonly Key[] = keys): Key | undefined =>
  sectionOf(path[0], among).find((candidate) => fits(candidate.path, path));

/** True when keys exist below `path`, so that a table may stand there. */
export const isSection = (path: readonly string[], among: readonly Key[] = keys): boolean =>
  sectionOf(path[0], among).some(
    (candidate) => candidate.path.length > path.length && fits(candidate.path.slice(0, path.length), path),
  );

/** `prices."openai/gpt-5.1".input` */
export const keyText = (path: readonly string[]): string =>
  path.map((word) => (/^[\w-]+$/.test(word) ? word : JSON.stringify(word))).join(".");

/** The reverse of `keyText`; undefined when the text is no key. */
export function keyPath(text: string): string[] | undefined {
  const words: string[] = [];
  const word = /\s*(?:([\w-]+)|("(?:[^"\\]|\\.)*")|'([^']*)')\s*(\.|$)/y;
  while (word.lastIndex < text.length) {
    const found = word.exec(text);
    if (!found) return undefined;
    words.push(found[1] ?? found[3] ?? (found[2] ?? '""').slice(1, -1).replace(/\\(["\\])/g, "$1"));
    if (found[4] === "") return words;
  }
  return undefined;
}
