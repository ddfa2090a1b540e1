// Finds again what was said in a conversation: in the store, where every message stays.
import { suspicions, wrapAsData } from "../../guard/firewall/data.ts";
import type { StoredFact } from "../../protocol/event.ts";
import type { Part } from "../../protocol/message.ts";
import type { RecallHit } from "../../protocol/context-view.ts";
import type { Recall } from "../../tools/tool.ts";
import { cutMiddle, targetOf } from "./excerpt.ts";

const mostHits = 6;
const excerptBytes = 700;
/** Of one result that is wanted whole. */
const wholeBytes = 24_000;

/** All facts of a session from the first on, a few at a time, as often as it is asked. */
export type Facts = () => Iterable<StoredFact>;

interface Piece {
  turn: number;
  who: string;
  /** Of a result. */
  call?: string;
  text: string;
}

/** For the model: text of the conversation is data, whoever wrote it. */
export async function recallText(facts: Facts, wanted: Recall): Promise<string> {
  if ("call" in wanted) return wholeResult(facts, wanted.call);
  const hits = findWords(facts, wanted.words);
  if (hits.length === 0) return `Nothing that was said in this conversation holds ${JSON.stringify(wanted.words)}.`;
  const text = hits.map(
    (hit) => `[turn ${hit.turn}, ${hit.who}${hit.call ? `, call ${hit.call}` : ""}]\n${hit.excerpt}`,
  );
  return asData(text.join("\n\n"));
}

const asData = async (text: string): Promise<string> => wrapAsData(text, "earlier messages", await suspicions(text));

async function wholeResult(facts: Facts, call: string): Promise<string> {
  let found: string | undefined;
  for (const fact of facts()) if (fact.type === "call.ended" && fact.call === call) found = textOf(fact.result.parts);
  if (found === undefined) return `No call of this conversation is named ${JSON.stringify(call)}.`;
  return asData(cutMiddle(found, wholeBytes, "[… left out …]"));
}

/** The best first: whoever holds more of the words, the rarer ones above all; of equals the newest. */
export function findWords(facts: Facts, words: string, most = mostHits): RecallHit[] {
  const terms = [...new Set(folded(words).match(/[\p{L}\p{N}_]+/gu) ?? [])].slice(0, 12);
  if (terms.length === 0) return [];
  const found: { piece: Piece; held: number[]; at: number }[] = [];
  const holders = terms.map(() => 0);
  let pieces = 0;
  for (const piece of standing(facts)) {
    pieces += 1;
    const text = folded(piece.text);
    const held = terms.flatMap((term, index) => (text.includes(term) ? [index] : []));
    for (const index of held) holders[index] = (holders[index] ?? 0) + 1;
    if (held.length > 0) found.push({ piece: shortened(piece, text, terms), held, at: pieces });
    if (found.length > 400) keepBest(found, rarity(holders, pieces));
  }
  const weight = rarity(holders, pieces);
  keepBest(found, weight);
  return found
    .slice(0, most)
    .map(({ piece: { turn, who, call, text } }) => ({ turn, who, excerpt: text, ...(call !== undefined && { call }) }));
}

const folded = (text: string): string => text.normalize("NFKC").toLowerCase();
const rarity = (holders: readonly number[], pieces: number): number[] =>
  holders.map((count) => Math.log(1 + (pieces + 1) / (count + 1)));

function keepBest(found: { held: number[]; at: number }[], weight: readonly number[]): void {
  const scoreOf = (held: readonly number[]) => held.reduce((sum, index) => sum + (weight[index] ?? 0), 0);
  found.sort((left, right) => scoreOf(right.held) - scoreOf(left.held) || right.at - left.at);
  found.length = Math.min(found.length, 100);
}

/** Around the place that holds the most of the terms. */
function shortened(piece: Piece, text: string, terms: readonly string[]): Piece {
  const places = terms.map((term) => text.indexOf(term)).filter((at) => at >= 0);
  const near = (at: number) => places.filter((other) => other >= at && other < at + excerptBytes / 2).length;
  const best = places.toSorted((left, right) => near(right) - near(left) || left - right)[0] ?? 0;
  // Folding may have changed lengths a little: the excerpt is wide enough for that.
  const from = Math.max(0, best - 200);
  const cut = piece.text.slice(from, from + excerptBytes).toWellFormed();
  const whole = from === 0 && cut.length === piece.text.length;
  return {
    ...piece,
    text: whole ? cut : `${from > 0 ? "…" : ""}${cut}${from + excerptBytes < piece.text.length ? "…" : ""}`,
  };
}

/** What still counts: not what a person has taken back or cleared. */
function* standing(facts: Facts): Generator<Piece> {
  const { cleared, gone } = takenBack(facts());
  const targets = new Map<string, string>();
  for (const fact of facts()) {
    if (fact.seq <= cleared) continue;
    for (const piece of piecesOf(fact, targets)) if (!gone.has(piece.turn)) yield piece;
  }
}

function takenBack(facts: Iterable<StoredFact>): { cleared: number; gone: Set<number> } {
  const gone = new Set<number>();
  const begun: number[] = [];
  let cleared = 0;
  for (const fact of facts) {
    if (fact.type === "session.cleared") cleared = fact.seq;
    else if (fact.type === "turn.started") begun.push(fact.turn);
    else if (fact.type === "session.rewound" && fact.conversation)
      for (const turn of begun) if (turn >= fact.turn) gone.add(turn);
  }
  return { cleared, gone };
}

function piecesOf(fact: StoredFact, targets: Map<string, string>): Piece[] {
  switch (fact.type) {
    case "turn.started":
    case "prompt.joined":
      return [{ turn: fact.turn, who: "the person", text: textOf(fact.prompt) }];
    case "note.added":
      return [{ turn: fact.turn, who: "a note", text: fact.text }];
    case "round.ended":
      return answerPieces(fact, targets);
    case "call.ended": {
      // What recall itself has found would be found for ever.
      if (fact.tool === "recall") return [];
      const who = ["result of", fact.tool, targets.get(fact.call)].filter(Boolean).join(" ");
      return [{ turn: fact.turn, who, call: fact.call, text: textOf(fact.result.parts) }];
    }
    default:
      return [];
  }
}

function answerPieces(
  { turn, content }: Extract<StoredFact, { type: "round.ended" }>,
  targets: Map<string, string>,
): Piece[] {
  return content.flatMap((block): Piece[] => {
    if (block.type === "text") return block.text.trim() === "" ? [] : [{ turn, who: "the model", text: block.text }];
    if (block.type === "reasoning" || block.name === "recall") return [];
    targets.set(block.id, targetOf(block.input));
    const text = JSON.stringify(block.input);
    return [{ turn, who: `call of ${block.name}`, call: block.id, text }];
  });
}

const textOf = (parts: readonly Part[]): string =>
  parts.map((part) => (part.type === "text" ? part.text : `[image ${part.mime}]`)).join("\n");
