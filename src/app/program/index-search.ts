// A question to the code index of the workspace.
import type { IndexAnswer, IndexQuestions } from "../../protocol/code-index.ts";
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
