// Everything that was said in a session and still counts, by its words: read once, and from then on only what is new.
import { openWordIndex, type WordIndex } from "../../io/store/word-index.ts";
import type { StoredFact } from "../../protocol/event.ts";
import { type Piece, piecesOf } from "./pieces.ts";
import { folded, type Question } from "./question.ts";

/** A session, as it is searched. */
export interface Said {
  /** After that one, from the first on, a few at a time. */
  history(after?: number): Iterable<StoredFact>;
  fact(seq: number): StoredFact | undefined;
}

/** Where a piece stands: the text stays in the store. */
interface PiecePosition {
  seq: number;
  /** Among the pieces of its fact. */
  at: number;
  turn: number;
  who: string;
  call?: string;
}

export class Recollection {
  readonly #said: Said;
  readonly #targets = new Map<string, string>();
  readonly #index: WordIndex = openWordIndex();
  #upto = 0;
  #places: PiecePosition[] = [];
  /** Before this one nothing counts any more. */
  #from = 0;
  readonly #begun = new Set<number>();
  readonly #gone = new Set<number>();

  constructor(said: Said) {
    this.#said = said;
  }

  /** The best first. */
  find(question: Question, most: number): Piece[] {
    this.#catchUp();
    const scored = this.#index.find(question.terms).flatMap(({ id, score }) => {
      const place = this.#places[id - 1];
      // What was taken back stays in the index.
      return place && this.#counts(place, id) ? [{ id, score: score * weightOf(place) }] : [];
    });
    const counted = scored.toSorted((left, right) => right.score - left.score).slice(0, most);
    return counted.length > 0 ? counted.flatMap(({ id }) => this.#read(id)) : this.#scan(question, most);
  }

  /** The newest result of that call. */
  result(call: string): string | undefined {
    this.#catchUp();
    const id = this.#places.findLastIndex(
      (place, at) => place.call === call && isResult(place) && this.#counts(place, at + 1),
    );
    return id < 0 ? undefined : this.#read(id + 1)[0]?.text;
  }

  #counts = ({ turn }: Pick<PiecePosition, "turn">, id: number): boolean => id > this.#from && !this.#gone.has(turn);

  #catchUp(): void {
    const added: { id: number; text: string }[] = [];
    for (const fact of this.#said.history(this.#upto)) {
      this.#upto = fact.seq;
      if (fact.type === "turn.started") this.#begun.add(fact.turn);
      else if (fact.type === "session.cleared") this.#from = this.#places.length;
      else if (fact.type === "session.rewound" && fact.conversation)
        for (const turn of this.#begun) if (turn >= fact.turn) this.#gone.add(turn);
      piecesOf(fact, this.#targets).forEach(({ text, ...piece }, at) => {
        this.#places.push({ ...piece, seq: fact.seq, at });
        added.push({ id: this.#places.length, text });
      });
    }
    if (added.length > 0) this.#index.add(added);
  }

  #read(id: number): Piece[] {
    const place = this.#places[id - 1];
    if (!place) return [];
    const fact = this.#said.fact(place.seq);
    const piece = fact && piecesOf(fact, new Map())[place.at];
    return piece ? [{ ...piece, who: place.who }] : [];
  }

  /** A part of a word, and languages that put no spaces between theirs. */
  #scan(question: Question, most: number): Piece[] {
    const words = question.words.filter((word) => word.length > 2 || /[^\p{Script=Latin}\p{N}]/u.test(word));
    if (words.length === 0) return [];
    let found: Found[] = [];
    let id = 0;
    for (const fact of this.#said.history()) {
      if (fact.seq > this.#upto) break;
      for (const piece of piecesOf(fact, this.#targets)) {
        id += 1;
        if (!this.#counts(piece, id)) continue;
        const text = folded(piece.text);
        const held = words.filter((word) => text.includes(word)).length;
        if (held > 0) found.push({ piece, held, id });
      }
      if (found.length > 200) found = best(found, most);
    }
    return best(found, most).map(({ piece }) => piece);
  }
}

/** What somebody said in so many words tells more than what a file holds, and that more than what was asked of a tool. */
function weightOf({ who, call }: PiecePosition): number {
  if (call !== undefined) return who.startsWith("result of") ? 1 : 0.8;
  return who === "the model" ? 1.25 : who === "a note" ? 0.8 : 1.5;
}

const isResult = ({ who }: PiecePosition): boolean => who.startsWith("result of");

interface Found {
  piece: Piece;
  held: number;
  id: number;
}

/** Of equals the newest. */
const best = (found: readonly Found[], most: number): Found[] =>
  found.toSorted((left, right) => right.held - left.held || right.id - left.id).slice(0, most);
