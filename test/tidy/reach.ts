// Follows hands (what writes, deletes, starts, connects, or reads a file's content) from the built-ins through the modules.
import { readFileSync } from "node:fs";
import path from "node:path";
import type { HandTable } from "./hands.ts";
import { readSource, type SourceFacts } from "./source.ts";

/** One value import across rooms, of a module that has hands. */
export interface Edge {
  file: string;
  of: string;
  names: string[];
}
export interface Reach {
  /** Built-in hands by the file that holds them, as `node:fs writeFileSync` or `process.kill`. */
  held: Map<string, string[]>;
  /** Files whose exports lead to a hand. */
  carriers: ReadonlySet<string>;
  /** From one room into another. */
  edges: Edge[];
}

const roomOf = (file: string): string => file.split("/").slice(0, 2).join("/");

export function reachOf(root: string, files: readonly string[], table: HandTable): Reach {
  const sources = new Map(files.map((file) => [file, readSource(readFileSync(path.join(root, file), "utf8"))]));
  const held = new Map<string, string[]>();
  for (const [file, source] of sources) {
    const hands = builtInHands(source, table);
    if (hands.length > 0) held.set(file, hands);
  }
  const inner = [...sources].flatMap(([file, source]) => innerEdges(file, source, sources));
  const carriers = new Set(held.keys());
  const leads = ({ of, names }: Edge) => carriers.has(of) && handsAmong(of, names, table).length > 0;
  for (let before = -1; before !== carriers.size; ) {
    before = carriers.size;
    for (const edge of inner) if (leads(edge)) carriers.add(edge.file);
  }
  const crossing = inner.filter((edge) => roomOf(edge.file) !== roomOf(edge.of) && leads(edge));
  return {
    ...{ held, carriers },
    edges: crossing.map((edge) => ({ ...edge, names: handsAmong(edge.of, edge.names, table) })),
  };
}

function builtInHands({ imports, globals }: SourceFacts, { builtIns, processHands }: HandTable): string[] {
  const found = imports.flatMap(({ module, typeOnly, names }) => {
    const name = module?.replace(/^(?!node:)/, "node:") ?? "";
    const harmless = builtIns[name];
    if (typeOnly || harmless === undefined) return [];
    return names.filter((each) => !harmless.includes(each)).map((each) => `${name} ${each}`);
  });
  const taken = globals
    .filter(({ name, member }) => name === "process" && (member === undefined || processHands.includes(member)))
    .map(({ member }) => `process.${member ?? "*"}`);
  return [...new Set([...found, ...taken])].toSorted();
}

function innerEdges(file: string, { imports }: SourceFacts, sources: ReadonlyMap<string, unknown>): Edge[] {
  return imports.flatMap(({ module, typeOnly, names }) => {
    if (typeOnly || !module?.startsWith(".") || names.length === 0) return [];
    const of = path.normalize(path.join(path.dirname(file), module));
    return sources.has(of) ? [{ file, of, names }] : [];
  });
}

/** All of a module may be taken where it is loaded late; that counts unless everything that it exports is harmless. */
function handsAmong(of: string, names: readonly string[], { harmless }: HandTable): string[] {
  const free = harmless[of] ?? [];
  return names.filter((name) => !free.includes(name));
}

/** What the table does not say, and what it says of nothing. */
export function handBreaches({ held, edges }: Reach, table: HandTable): string[] {
  const sorted = (names: readonly string[]) => names.toSorted().join(", ");
  const holders = [...held].flatMap(([file, hands]) => {
    const row = table.holders.find((each) => each.file === file);
    const more = hands.filter((hand) => !row?.hands.includes(hand));
    return more.length > 0 ? [`${file} holds ${sorted(more)}, which no row of the hands' table gives it`] : [];
  });
  const grants = new Map(table.uses.map((use) => [`${use.file} ${use.of}`, use]));
  const taken = edges.flatMap(({ file, of, names }) => {
    const more = names.filter((name) => !grants.get(`${file} ${of}`)?.names.includes(name));
    return more.length > 0 ? [`${file} takes ${sorted(more)} of ${of}, which no row of the hands' table gives it`] : [];
  });
  return [...holders, ...taken, ...idleRows({ held, edges }, table)];
}

function idleRows({ held, edges }: Pick<Reach, "held" | "edges">, { holders, uses }: HandTable): string[] {
  const unheld = holders.flatMap(({ file, hands }) =>
    hands.filter((hand) => !held.get(file)?.includes(hand)).map((hand) => `${file} no longer holds ${hand}`),
  );
  const unused = uses.flatMap(({ file, of, names }) => {
    const taken = edges.filter((edge) => edge.file === file && edge.of === of).flatMap((edge) => edge.names);
    return names.filter((name) => !taken.includes(name)).map((name) => `${file} no longer takes ${name} of ${of}`);
  });
  return [...unheld, ...unused];
}
