// Full-text search over the conversations of a project. What was redacted is redacted in the store; incognito keeps none.
import { findWords } from "../../../engine/context/recall.ts";
import { Session } from "../../../engine/session/session.ts";
import type { Answer, Queries } from "../../../protocol/query.ts";
import type { QueryContext } from "./context.ts";

const usualLimit = 20;

/** Rows are told by what SQLite folds, the places in them as `recall` finds them: what was taken back is none. */
export async function searched(
  { program }: QueryContext,
  { words, limit = usualLimit }: Queries["session.search"],
): Promise<Answer<"session.search">> {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return [];
  const store = program.store();
  const found: Answer<"session.search"> = [];
  for (const row of store.sessionsHolding(wanted.map(plainPart).filter(Boolean))) {
    if (found.length === limit) break;
    const [hit] = findWords(Session.open(row.id, store), words, 1);
    const named = wanted.every((word) => row.title.toLowerCase().includes(word));
    if (hit || named) found.push({ session: row, ...(hit && { hit }) });
  }
  return found;
}

/** The longest part of letters that SQLite folds, and that stands in JSON as it is. */
const plainPart = (word: string): string =>
  (word.match(/[a-z0-9_.:/-]+/g) ?? []).toSorted((left, right) => right.length - left.length)[0] ?? "";
