// From a word to what it speaks of. Built once, when the scanner is first used.
import { bitsOf, type Bits, type Concept } from "./concepts.ts";
import lexicons from "../../../assets/injection/words.json" with { type: "json" };

/** Words of each concept; `_` joins the words of a phrase. Written from the languages, not from samples. */
type Lexicon = Partial<Record<Concept, string>>;

/** In `pieces` are those of languages without spaces: each is found by its first character in a run. */
const { english, pieces, ...otherLanguages } = lexicons;

export interface Entry extends Bits {
  /** Words before this one that make a phrase with it, nearest last. */
  phrases: { before: readonly string[]; bits: Bits }[] | undefined;
  /** It may begin an order. */
  acts: boolean;
  /** Not English. */
  foreign: boolean;
}

const acting: ReadonlySet<Concept> = new Set<Concept>([
  ...(["override", "tell", "send", "execute", "destroy", "grant", "money"] as const),
  ...(["fetch", "output", "persona", "reveal", "obey", "rate", "read", "memory"] as const),
]);

/** Words without a concept that show that a text is written in a language, not in a cipher. */
const plainWords =
  "the of and to in is for with on that this it as are be by or at from an a was has have which der die das und ist von zu mit le la les des et est un une el los de que en y il che di non do da em и в на с по";

export const withoutAccents = (word: string): string => word.normalize("NFD").replace(/\p{M}/gu, "").normalize("NFC");

const entries = new Map<string, Entry>();

function entryOf(word: string): Entry {
  const known = entries.get(word);
  if (known) return known;
  const made: Entry = { low: 0, high: 0, phrases: undefined, acts: false, foreign: false };
  entries.set(word, made);
  return made;
}

function learn(lexicon: Lexicon, foreign: boolean): void {
  for (const [name, list] of Object.entries(lexicon)) {
    const concept = name as Concept;
    const bits = bitsOf(concept);
    for (const phrase of withoutAccents(list).split(/\s+/)) {
      const words = phrase.split(/[_'-]/).filter(Boolean);
      const isNew = foreign && !entries.has(words.at(-1) ?? phrase);
      const entry = entryOf(words.at(-1) ?? phrase);
      if (isNew) entry.foreign = true;
      if (words.length > 1) (entry.phrases ??= []).push({ before: words.slice(0, -1), bits });
      else {
        entry.low |= bits.low;
        entry.high |= bits.high;
        entry.acts ||= acting.has(concept);
      }
    }
  }
}

for (const word of plainWords.split(" ")) entryOf(word);
learn(english, false);
for (const lexicon of Object.values(otherLanguages)) learn(lexicon, true);

export const entryFor = (word: string): Entry | undefined => entries.get(word);

export interface Piece extends Bits {
  text: string;
}

/** By their first character. */
export const pieceIndex: ReadonlyMap<number, readonly Piece[]> = indexOfPieces();

function indexOfPieces(): Map<number, Piece[]> {
  const index = new Map<number, Piece[]>();
  for (const [name, list] of Object.entries(pieces)) {
    for (const text of list.split(/\s+/)) {
      const first = text.charCodeAt(0);
      index.set(first, [...(index.get(first) ?? []), { text, ...bitsOf(name as Concept) }]);
    }
  }
  return index;
}

/** Often written in two words or with a hyphen, and honestly. */
const compounds = new Set(
  "apikey email emails emailing dotenv webhook webhooks shutdown always login logins website webpage webpages codebase anyone anybody nobody nothing everything anything instead become behind before subprocess backup backups without upload uploads download downloads whoever whenever forever cannot outdated".split(
    " ",
  ),
);

/** Words long and telling enough to be looked for in ciphers, split or with digits for letters. */
export const strongWords: ReadonlySet<string> = new Set(
  Object.values(english)
    .flatMap((list) => list.split(/\s+/))
    .filter((word) => /^[a-z]{5,}$/.test(word) && !compounds.has(word)),
);

/** Beginnings of strong words, as long as a split leaves them. */
export const strongStarts: ReadonlySet<string> = new Set(
  [...strongWords].flatMap((word) => [1, 2, 3, 4].filter((at) => at < word.length - 1).map((at) => word.slice(0, at))),
);
