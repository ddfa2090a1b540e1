// A question to the code index of the workspace.
import path from "node:path";
import type { IndexAnswer, IndexQuestions, IndexUses } from "../../protocol/code-index.ts";
import { codeIndex } from "./code-index.ts";
import type { Program } from "./program.ts";

const mostFiles = 50;

export async function searchIndex(
  program: Program,
  { query, most = 10, lines = 0 }: IndexQuestions["index.search"]["ask"],
): Promise<IndexAnswer> {
  const index = await codeIndex(program);
  await index.update();
  const { files, symbols } = await index.ask(query, { most: Math.min(most, mostFiles), lines });
  const shown = files.map(({ line, ...file }) => ({ ...file, ...(line !== undefined && { line }) }));
  return { files: shown, symbols, ...(index.renewed && { renewed: index.renewed }) };
}

export async function indexSymbols(program: Program, asked: { name: string } | { path: string }): Promise<IndexUses> {
  const index = await codeIndex(program);
  await index.update();
  const relative = "path" in asked && path.isAbsolute(asked.path) ? path.relative(index.root, asked.path) : undefined;
  return index.symbols(relative === undefined ? asked : { path: relative });
}
