// Names that the change takes away, and that other files of the commit still hold.
import type { Piece } from "../proof/pieces.ts";
import type { Repository } from "../world/git.ts";
import { isDocument } from "../machine/plan.ts";

const defined =
  /^\s*(?:export\s+)?(?:default\s+)?(?:pub(?:\([^)]*\))?\s+)?(?:async\s+)?(?:(?:def|class|function|fn|interface|type|struct|enum|trait)\s+|func\s+(?:\([^)]*\)\s*)?|(?:export\s+)(?:const|let|var)\s+|exports\.)([A-Za-z_]\w{3,})/;

/** What a line defines, if it does. */
export const definedName = (line: string): string | undefined => defined.exec(line)?.[1];

const mostNames = 10;

/** A line for each: the name, and the files. `pieces`: of the change, with the lines that they had. */
export async function namesLeft(commit: Repository, pieces: readonly Piece[]): Promise<string[]> {
  const changed = [...new Set(pieces.map(({ path }) => path))];
  const texts = await Promise.all(changed.map(async (file) => (await commit.text("HEAD", file)) ?? ""));
  const taken = pieces.flatMap(({ lines }) => lines?.was.flatMap((line) => defined.exec(line)?.[1] ?? []) ?? []);
  const found: string[] = [];
  for (const name of [...new Set(taken)].slice(0, mostNames)) {
    const word = new RegExp(`\\b${name}\\b`);
    // It is still there, or was only moved.
    if (texts.some((text) => text.split("\n").some((line) => defined.exec(line)?.[1] === name))) continue;
    const others = (await commit.mentions("HEAD", `(^|[^A-Za-z0-9_])${name}([^A-Za-z0-9_]|$)`)).filter(
      (file) => !isDocument(file) && !changed.includes(file),
    );
    const here = changed.filter((_, at) => word.test(texts[at] ?? ""));
    const files = [...others, ...here];
    const elsewhere = await definedIn(commit, others, name);
    if (files.length > 0 && !elsewhere) found.push(`${name}: ${files.slice(0, mostNames).join(", ")}`);
  }
  return found;
}

/** Another file has a definition of that name of its own. */
async function definedIn(commit: Repository, files: readonly string[], name: string): Promise<boolean> {
  for (const file of files) {
    const text = (await commit.text("HEAD", file)) ?? "";
    if (text.split("\n").some((line) => defined.exec(line)?.[1] === name)) return true;
  }
  return false;
}
