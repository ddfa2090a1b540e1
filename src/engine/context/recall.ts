// Finds again what was said in a conversation: in the store, where every message stays.
import { suspicions, wrapAsData } from "../../guard/firewall/data.ts";
import type { RecallHit } from "../../protocol/context-view.ts";
import type { Recall } from "../../tools/tool.ts";
import { cutMiddle } from "./excerpt.ts";
import type { Piece } from "./pieces.ts";
import { folded, questionOf } from "./question.ts";
import { Recollection, type Said } from "./recollection.ts";

const mostHits = 6;
const excerptBytes = 700;
/** Of one result that is wanted whole. */
const wholeBytes = 24_000;

/** A session is read once, however often it is asked. */
const recollections = new WeakMap<Said, Recollection>();

function recollectionOf(said: Said): Recollection {
  const known = recollections.get(said) ?? new Recollection(said);
  recollections.set(said, known);
  return known;
}

/** For the model: text of the conversation is data, whoever wrote it. */
export async function recallText(said: Said, wanted: Recall): Promise<string> {
  if ("call" in wanted) return wholeResult(said, wanted.call);
  const hits = findWords(said, wanted.words);
  if (hits.length === 0) return `Nothing that was said in this conversation holds ${JSON.stringify(wanted.words)}.`;
  const text = hits.map(
    (hit) => `[turn ${hit.turn}, ${hit.who}${hit.call ? `, call ${hit.call}` : ""}]\n${hit.excerpt}`,
  );
  return asData(text.join("\n\n"));
}

const asData = async (text: string): Promise<string> => wrapAsData(text, "earlier messages", await suspicions(text));

async function wholeResult(said: Said, call: string): Promise<string> {
  const found = recollectionOf(said).result(call);
  if (found === undefined) return `No call of this conversation is named ${JSON.stringify(call)}.`;
  return asData(cutMiddle(found, wholeBytes, "[… left out …]"));
}

/** The best first, each as far as it is around the words. */
export function findWords(said: Said, words: string, most = mostHits): RecallHit[] {
  const question = questionOf(words);
  return recollectionOf(said)
    .find(question, most)
    .map(({ text, turn, who, call }) => ({
      ...{ turn, who, excerpt: excerptOf(text, question.words) },
      ...(call !== undefined && { call }),
    }));
}

/** Around the place that holds the most of the words. */
function excerptOf(text: Piece["text"], words: readonly string[]): string {
  const lower = folded(text);
  const places = words.map((word) => placeOf(lower, word)).filter((at) => at >= 0);
  const near = (at: number) => places.filter((other) => other >= at && other < at + excerptBytes / 2).length;
  const best = places.toSorted((left, right) => near(right) - near(left) || left - right)[0] ?? 0;
  // Folding may have changed lengths a little: the excerpt is wide enough for that.
  const from = Math.max(0, best - 200);
  const cut = text.slice(from, from + excerptBytes).toWellFormed();
  return `${from > 0 ? "…" : ""}${cut}${from + excerptBytes < text.length ? "…" : ""}`;
}

/** Of the word, or of how another form of it begins. */
function placeOf(text: string, word: string): number {
  for (let length = word.length; length >= Math.min(4, word.length); length -= 1) {
    const at = text.indexOf(word.slice(0, length));
    if (at >= 0) return at;
  }
  return -1;
}
