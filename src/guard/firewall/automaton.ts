// Finds all trigger words of all patterns in one walk over a text (Aho and Corasick), letters' case aside.

const lower = (code: number): number => (code >= 65 && code <= 90 ? code + 32 : code);

export class Automaton {
  readonly #classOf = new Uint8Array(128);
  readonly #width: number;
  readonly #next: Int32Array;
  /** Words that end in a state, the longest first. */
  readonly #ends: number[][];
  readonly #lengths: number[];

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
    this.#next = new Int32Array(states * width).fill(-1);
    this.#ends = Array.from({ length: states }, () => []);
    this.#close(this.#insert(small));
  }

  #insert(words: readonly string[]): number {
    let states = 1;
    for (const [index, word] of words.entries()) {
      let state = 0;
      for (let at = 0; at < word.length; at++) {
        const edge = state * this.#width + (this.#classOf[word.charCodeAt(at)] ?? 0);
        if (this.#next[edge] === -1) this.#next[edge] = states++;
        state = this.#next[edge] ?? 0;
      }
      this.#ends[state]?.push(index);
    }
    return states;
  }

  /** Gives every state its edges, also the ones that fall back. */
  #close(states: number): void {
    const fall = new Int32Array(states);
    const queue = [0];
    for (let state = queue.shift(); state !== undefined; state = queue.shift()) {
      for (let letter = 0; letter < this.#width; letter++) {
        const edge = state * this.#width + letter;
        const back = state === 0 ? 0 : (this.#next[(fall[state] ?? 0) * this.#width + letter] ?? 0);
        const child = this.#next[edge] ?? -1;
        if (child === -1) this.#next[edge] = back;
        else {
          fall[child] = back;
          this.#ends[child]?.push(...(this.#ends[back] ?? []));
          queue.push(child);
        }
      }
    }
  }

  /** In order of their ends. */
  search(text: string, found: (at: number, word: number) => void): void {
    const next = this.#next;
    const width = this.#width;
    const classOf = this.#classOf;
    let state = 0;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      state = next[state * width + (code < 128 ? (classOf[code] ?? 0) : 0)] ?? 0;
      if (state === 0) continue;
      const ends = this.#ends[state];
      if (ends === undefined || ends.length === 0) continue;
      for (const word of ends) found(at + 1 - (this.#lengths[word] ?? 0), word);
    }
  }
}
