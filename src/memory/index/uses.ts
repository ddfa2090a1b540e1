// Where a name is defined, used and implemented, and what a file defines.
import type { CodeSymbol } from "../../io/index/spec.ts";
import type { Catalog } from "../../io/index/catalog.ts";
import { wholeName, wordsOfName } from "../../base/code-words.ts";
import type { IndexUses } from "../../protocol/code-index.ts";
import type { Corpus } from "./files.ts";

export interface Place {
  path: string;
  line: number;
  text: string;
}

export interface Uses {
  /** Of the file that was asked for, or of the name: `within` it. */
  definitions: (CodeSymbol & { path: string })[];
  /** Lines that take a type as their base. */
  implementations: Place[];
  references: Place[];
  /** Whether there are more uses than are told. */
  more: boolean;
  about?: NonNullable<IndexUses["about"]>;
}

export interface UsesWorld {
  catalog: Catalog;
  corpus: Corpus;
  /** Without secrets; undefined where it cannot be read. */
  textOf(path: string): Promise<string | undefined>;
}

const mostFiles = 150;
const mostUses = 60;
const mostDefinitions = 40;
const longestLine = 200;

/** In the order of its lines; nothing for a file that the index does not have. */
export function outlineOf({ catalog, corpus }: UsesWorld, path: string): Uses["definitions"] {
  const file = corpus.files[corpus.byPath.get(path) ?? -1];
  return file && file.text >= 0 ? catalog.symbolsOf(file.text).map((symbol) => ({ path, ...symbol })) : [];
}

/** `asked`: a name, or the last part of one, as in `Cart.total`. */
export async function usesOf(world: UsesWorld, asked: string): Promise<Uses> {
  const [name = "", outer] = asked.split(/\.|::|#|->/).toReversed();
  if (name === "") return { definitions: [], implementations: [], references: [], more: false };
  const definitions = definitionsOf(world, name, outer);
  const uses: Uses = { definitions, implementations: [], references: [], more: false };
  const known = new Set(definitions.map(({ path, line }) => `${path}:${line}`));
  const files = filesWith(world, name, definitions);
  const named = new RegExp(`(?<![\\w$])${RegExp.escape(name)}(?![\\w$])`, "g");
  for (const path of files.slice(0, mostFiles)) {
    const text = await world.textOf(path);
    for (const [at, line] of (text ?? "").split("\n").entries()) {
      if (line.length > 2_000 || known.has(`${path}:${at + 1}`)) continue;
      const found = [...line.matchAll(named)];
      if (found.length === 0) continue;
      const isBase = found.some(({ index }) => isBaseAt(line, index));
      const list = isBase ? uses.implementations : uses.references;
      if (list.length >= mostUses) uses.more = true;
      else list.push({ path, line: at + 1, text: line.trim().slice(0, longestLine) });
    }
  }
  uses.more ||= files.length > mostFiles;
  return uses;
}

function definitionsOf({ catalog, corpus }: UsesWorld, name: string, outer: string | undefined): Uses["definitions"] {
  const find = (exact: boolean) =>
    catalog
      .symbolsNamed(name, exact)
      .flatMap(({ text, ...symbol }) =>
        corpus.byText.of(text).map((at) => ({ path: corpus.files[at]?.path ?? "", ...symbol })),
      );
  const same = find(true);
  const all = same.length > 0 ? same : find(false);
  const inside = outer === undefined ? [] : all.filter(({ within }) => within === outer);
  const rank = ({ path }: { path: string }) => (corpus.kinds[corpus.byPath.get(path) ?? -1] === "source" ? 0 : 1);
  return (inside.length > 0 ? inside : all)
    .toSorted((a, b) => rank(a) - rank(b) || a.path.localeCompare(b.path) || a.line - b.line)
    .slice(0, mostDefinitions);
}

/** Files that hold the name: those that define it first, then sources before tests and documents. */
function filesWith({ catalog, corpus }: UsesWorld, name: string, definitions: Uses["definitions"]): string[] {
  const words = wordsOfName(name);
  const word = words.length > 1 ? wholeName(name) : (words[0] ?? "");
  const pairs = catalog.postings(word);
  const found = new Set<number>();
  for (let pair = 0; pair < pairs.length; pair += 2)
    for (const at of corpus.byText.of(pairs[pair] ?? -1)) found.add(at);
  const own = new Set(definitions.map(({ path }) => corpus.byPath.get(path) ?? -1));
  const order = ["source", "test", "build", "document", "data", "generated"];
  const rank = (at: number) => (own.has(at) ? -1 : order.indexOf(corpus.kinds[at] ?? "source"));
  return [...found].toSorted((a, b) => rank(a) - rank(b) || a - b).map((at) => corpus.files[at]?.path ?? "");
}

/** Whether a line takes the name at this place as a base: of classes, interfaces, traits and prototypes. */
function isBaseAt(line: string, at: number): boolean {
  const before = line.slice(0, at);
  return (
    /\b(?:extends|implements|with)\b[^{;(]*$/.test(before) ||
    /^\s*impl\b/.test(line) ||
    /^\s*class\s+\w+\s*\([^)]*$/.test(before) ||
    /^\s*(?:\w+\s+)*(?:class|struct|interface|record)\s+\w+[^:{(]*:[^{;]*$/.test(before) ||
    /^\s*class\s+[\w:]+\s*<\s*[\w:]*$/.test(before)
  );
}
