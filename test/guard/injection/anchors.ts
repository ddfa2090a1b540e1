// Words that a pattern cannot match without, worked out from its source.

/** What a piece of a pattern stands for. */
interface Piece {
  /** All that it can be, where that is little. */
  exact: readonly string[] | undefined;
  /** Each text that it matches holds one of these; undefined where that cannot be said. */
  held: readonly string[] | undefined;
}

const mostExact = 24;
const unknown: Piece = { exact: undefined, held: undefined };
const empty: Piece = { exact: [""], held: undefined };

/**
 * Each text in which `source` matches holds one of the answered words; undefined where there are none of at least two
 * letters. Understands what the signals are written in; of all else it says nothing.
 */
export function anchorsOf(source: string): readonly string[] | undefined {
  const words = heldBy(new Reader(source).alternatives());
  return words && [...new Set(words)].filter((word) => !words.some((one) => one !== word && word.includes(one)));
}

const heldBy = ({ exact, held }: Piece): readonly string[] | undefined => {
  const own = exact?.every((word) => word.length > 1) ? exact : undefined;
  return better(own, held);
};

/** The longer the shortest of them, the less they let through. */
function better(left: readonly string[] | undefined, right: readonly string[] | undefined) {
  if (!left || !right) return left ?? right;
  return shortest(right) > shortest(left) ? right : left;
}

const shortest = (words: readonly string[]): number => Math.min(...words.map((word) => word.length));

class Reader {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  /** Up to the end of the group. */
  alternatives(): Piece {
    const all = [this.#sequence()];
    while (this.#source[this.#at] === "|") {
      this.#at += 1;
      all.push(this.#sequence());
    }
    if (all.length === 1) return all[0] ?? unknown;
    const exact = all.flatMap((each) => each.exact ?? []);
    const held = all.map(heldBy);
    return {
      exact: all.every((each) => each.exact) && exact.length <= mostExact ? exact : undefined,
      held: held.every((words) => words !== undefined) ? held.flat() : undefined,
    };
  }

  #sequence(): Piece {
    let exact: readonly string[] = [""];
    let whole = true;
    let held: readonly string[] | undefined;
    const close = () => {
      held = better(held, heldBy({ exact, held: undefined }));
      exact = [""];
      whole = false;
    };
    while (this.#at < this.#source.length && !"|)".includes(this.#source[this.#at] ?? "")) {
      const piece = this.#repeated(this.#one());
      const longer = piece.exact && exact.flatMap((start) => (piece.exact ?? []).map((end) => start + end));
      if (longer && longer.length <= mostExact) exact = longer;
      else {
        close();
        held = better(held, heldBy(piece));
      }
    }
    if (whole) return { exact, held: undefined };
    close();
    return { exact: undefined, held };
  }

  #one(): Piece {
    const letter = this.#source[this.#at] ?? "";
    this.#at += 1;
    if (letter === "(") return this.#group();
    if (letter === "[") return this.#class();
    if (letter === "\\") return this.#escape();
    if (letter === "^" || letter === "$") return empty;
    return letter === "." ? unknown : { exact: [letter], held: undefined };
  }

  #group(): Piece {
    const kind = /^\?(?::|<?[!=])/.exec(this.#source.slice(this.#at))?.[0] ?? "";
    this.#at += kind.length;
    const inner = this.alternatives();
    this.#at += 1;
    return kind === "" || kind === "?:" ? inner : empty;
  }

  #class(): Piece {
    while (this.#at < this.#source.length && this.#source[this.#at] !== "]")
      this.#at += this.#source[this.#at] === "\\" ? 2 : 1;
    this.#at += 1;
    return unknown;
  }

  #escape(): Piece {
    const letter = this.#source[this.#at] ?? "";
    this.#at += 1;
    if (letter === "b" || letter === "B") return empty;
    return /\w/.test(letter) ? unknown : { exact: [letter], held: undefined };
  }

  #repeated(piece: Piece): Piece {
    const times = /^(?:[?*+]|\{(\d+)(?:,\d*)?\})\??/.exec(this.#source.slice(this.#at));
    if (!times) return piece;
    this.#at += times[0].length;
    const [text, least] = times;
    if (text.startsWith("?")) return { exact: piece.exact && ["", ...piece.exact], held: undefined };
    if (text.startsWith("*") || least === "0") return unknown;
    return { exact: undefined, held: heldBy(piece) };
  }
}
