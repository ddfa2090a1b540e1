// What is asked of the code index.
import path from "node:path";
import { realFolder } from "../../../io/places/places.ts";
import type { IndexItem, IndexQuestions, IndexStatus } from "../../../protocol/code-index.ts";
import { foldersOf } from "../../../memory/index/keeper.ts";
import { codeIndex, indexFileOf, indexKeeper } from "../../program/code-index.ts";
import type { Program } from "../../program/program.ts";

const mostFiles = 50;
/** A batch is asked for places: some are short. */
const mostSymbols = 30;

export async function indexStatus(
  program: Program,
  { update = false, folders = false }: IndexQuestions["index.status"]["ask"],
): Promise<IndexStatus> {
  const { index } = await indexKeeper(program);
  const started = performance.now();
  const done = update ? await index.update() : undefined;
  const ms = Math.round(performance.now() - started);
  return {
    ...{ root: index.root, file: indexFileOf(program, index.root), ...index.status() },
    ...(index.renewed && { renewed: index.renewed }),
    ...(folders && { folders: [...foldersOf(index.paths())].toSorted() }),
    ...(done && { built: { read: done.read, removed: done.removed, failed: done.failed, ms } }),
  };
}

/** A root is brought up to date once in a row of questions about it. */
export async function searchMany(program: Program, { items, most = 10 }: { items: IndexItem[]; most?: number }) {
  const answers: IndexQuestions["index.batch"]["answer"] = [];
  const fresh = new Set<string>();
  const asked = items.map((item, at) => ({ ...item, at, folder: realFolder(path.resolve(program.cwd, item.root)) }));
  // Questions about one root follow each other: few indexes are open at once.
  for (const { id, at, folder: root, root: given, query } of asked.toSorted(
    (a, b) => (a.folder ?? "").localeCompare(b.folder ?? "") || a.at - b.at,
  )) {
    if (root === undefined) {
      answers[at] = { id, error: `there is no folder ${given}` };
      continue;
    }
    try {
      const index = await codeIndex(program, root);
      if (!fresh.has(root)) await index.update();
      fresh.add(root);
      const { files, symbols } = await index.ask(query, { most: Math.min(most, mostFiles), mostSymbols, symbolsOf: 8 });
      answers[at] = { id, files: files.map((file) => file.path), symbols };
    } catch (error) {
      answers[at] = { id, error: error instanceof Error ? error.message : String(error) };
    }
  }
  return answers;
}
