// Finds all trigger words of all patterns in one walk over a text (Aho and Corasick), letters' case aside. What the
// walk does not need is not worked out: a start must not wait for it.

const lower = (code: number): number => (code >= 65 && code <= 90 ? code + 32 : code);

/** In the table of steps: back to the beginning. 0 is not worked out yet, all else is a state. */
const beginning = -1;

export class Automaton {
  readonly #classOf = new Uint8Array(128);
  readonly #width: number;
  readonly #next: Int32Array;
  readonly #parent: Int32Array;
  readonly #letter: Uint8Array;
  /** The longest end of a state's word that other words begin with; 0 is not worked out yet. */
  readonly #fall: Int32Array;
  readonly #own = new Map<number, number[]>();
  readonly #ends: (readonly number[] | undefined)[];
  readonly #lengths: number[];

  /** Throws for a word that is not ASCII. */
  constructor(words: readonly string[]) {
    const small = words.map((word) => word.toLowerCase());
    this.#lengths = small.map((word) => word.length);
    let width = 1;
    for (const word of small) {
      for (let at = 0; at < word.length; at++) {
        const code = word.charCodeAt(at);
        if (code > 127) throw new Error(`${word} is not ASCII`);
        if (this.#classOf[code] === 0) this.#classOf[code] = width++;
      }
    }
    for (let code = 65; code <= 90; code++) this.#classOf[code] = this.#classOf[lower(code)] ?? 0;
    this.#width = width;
    const states = small.reduce((sum, word) => sum + word.length, 1);
    this.#next = new Int32Array(states * width);
    this.#parent = new Int32Array(states);
    this.#letter = new Uint8Array(states);
    this.#fall = new Int32Array(states);
    this.#ends = new Array<undefined>(states);
    this.#insert(small);
  }

  #insert(words: readonly string[]): void {
    const next = this.#next;
    const width = this.#width;
    const classOf = this.#classOf;
    let states = 1;
    for (const [index, word] of words.entries()) {
      let state = 0;
      for (let at = 0; at < word.length; at++) {
        const letter = classOf[word.charCodeAt(at)] ?? 0;
        const edge = state * width + letter;
        if (next[edge] === 0) {
          this.#parent[states] = state;
          this.#letter[states] = letter;
          next[edge] = states++;
        }
        state = next[edge] ?? 0;
      }
      const own = this.#own.get(state);
      if (own) own.push(index);
      else this.#own.set(state, [index]);
    }
  }

  #step(state: number, letter: number): number {
    const edge = state * this.#width + letter;
    const known = this.#next[edge] ?? 0;
    if (known !== 0) return known === beginning ? 0 : known;
    const found = state === 0 ? 0 : this.#step(this.#fallOf(state), letter);
    this.#next[edge] = found === 0 ? beginning : found;
    return found;
  }

  #fallOf(state: number): number {
    const known = this.#fall[state] ?? 0;
    if (known !== 0) return known === beginning ? 0 : known;
    const parent = this.#parent[state] ?? 0;
    const found = parent === 0 ? 0 : this.#step(this.#fallOf(parent), this.#letter[state] ?? 0);
    this.#fall[state] = found === 0 ? beginning : found;
    return found;
  }

  #endsOf(state: number): readonly number[] {
    const known = this.#ends[state];
    if (known) return known;
    const shorter = state === 0 ? [] : this.#endsOf(this.#fallOf(state));
    const found = [...(this.#own.get(state) ?? []), ...shorter];
    this.#ends[state] = found;
    return found;
  }

  /** In order of their ends, the longest of an end first. */
  search(text: string, found: (at: number, word: number) => void): void {
    const next = this.#next;
    const width = this.#width;
    const classOf = this.#classOf;
    let state = 0;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      const letter = code < 128 ? (classOf[code] ?? 0) : 0;
      const step = next[state * width + letter] ?? 0;
      state = step > 0 ? step : step === beginning ? 0 : this.#step(state, letter);
      if (state === 0) continue;
      const ends = this.#ends[state] ?? this.#endsOf(state);
      for (let index = 0; index < ends.length; index++) {
        const word = ends[index] ?? 0;
        found(at + 1 - (this.#lengths[word] ?? 0), word);
      }
    }
  }
}

/** As `Automaton.search` of the same words, all lower-case: slower by far, but with nothing to build first. */
export function searchEach(words: readonly string[], text: string, found: (at: number, word: number) => void): void {
  const small = text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  const hits: { at: number; end: number; word: number }[] = [];
  words.forEach((one, word) => {
    for (let at = small.indexOf(one); at >= 0; at = small.indexOf(one, at + 1))
      hits.push({ at, end: at + one.length, word });
  });
  hits.sort((left, right) => left.end - right.end || left.at - right.at || left.word - right.word);
  for (const { at, word } of hits) found(at, word);
}
