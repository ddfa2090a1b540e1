// A question to the code index of the workspace.
import { existsSync } from "node:fs";
import path from "node:path";
import { trackedCount } from "../../io/git/git-tips.ts";
import { indexFile } from "../../memory/index/place.ts";
import type { IndexAnswer, IndexQuestions, IndexUses } from "../../protocol/code-index.ts";
import { indexKeeper } from "./code-index.ts";
import type { Program } from "./program.ts";

const mostFiles = 50;
/** A person at a command waits for the whole; a model goes on with what there is. */
const modelWaitsMs = 8_000;
/** From so many tracked files on, looking for the right one costs more than reading them once. */
const worthFiles = 300;

export async function searchIndex(
  program: Program,
  { query, most = 10, lines = 0 }: IndexQuestions["index.search"]["ask"],
  patienceMs?: number,
): Promise<IndexAnswer> {
  const keeper = await indexKeeper(program);
  const building = await keeper.fresh(patienceMs);
  const { index } = keeper;
  const { files, symbols } = await index.ask(query, { most: Math.min(most, mostFiles), lines });
  const shown = files.map(({ line, ...file }) => ({ ...file, ...(line !== undefined && { line }) }));
  return { files: shown, symbols, ...(index.renewed && { renewed: index.renewed }), ...(building && { building }) };
}

/** For a model in a session: it asks again, so that what a watch sees need not be looked for. */
export async function searchForModel(program: Program, query: string): Promise<IndexAnswer> {
  (await indexKeeper(program)).watch();
  return searchIndex(program, { query, most: 10, lines: 3 }, modelWaitsMs);
}

export async function indexSymbols(program: Program, asked: { name: string } | { path: string }): Promise<IndexUses> {
  const keeper = await indexKeeper(program);
  keeper.watch();
  await keeper.fresh(modelWaitsMs);
  const { index } = keeper;
  const relative = "path" in asked && path.isAbsolute(asked.path) ? path.relative(index.root, asked.path) : undefined;
  return index.symbols(relative === undefined ? asked : { path: relative });
}

const hasIndex = (program: Program): boolean =>
  !program.incognito && existsSync(indexFile(program.places.state, program.workspace));

const begun = new WeakSet<Program>();

/** Begins to build in the background where there is enough to find, and nobody has switched that off. */
export async function beginIndex(program: Program): Promise<void> {
  if (begun.has(program) || program.incognito || !program.config().settings.index.automatic) return;
  if (!hasIndex(program) && trackedCount(program.workspace) < worthFiles) return;
  begun.add(program);
  const keeper = await indexKeeper(program);
  keeper.watch();
  keeper.begin();
}

/** As it is at this moment: somebody types. */
export async function indexNames(
  program: Program,
  { letters, most = 20 }: IndexQuestions["index.names"]["ask"],
): Promise<IndexQuestions["index.names"]["answer"]> {
  await beginIndex(program);
  if (!hasIndex(program) || letters.length < 2) return [];
  const keeper = await indexKeeper(program);
  keeper.begin();
  return keeper.index.named(letters, Math.min(most, mostFiles));
}
