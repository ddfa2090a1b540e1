// vi's keys for the editor: motions, operators and counts, over the text and the place of the cursor in it.

/** What a key does: another text or place, `insert` where typing goes on, or a key of the library instead. */
export interface ViStep {
  text: string;
  at: number;
  insert?: boolean;
  library?: string;
}

const undo = "\x1f";
const up = "\x1b[A";
const down = "\x1b[B";

const kindOf = (letter: string | undefined): "none" | "blank" | "word" | "other" => {
  if (letter === undefined) return "none";
  if (/\s/.test(letter)) return "blank";
  return /[\p{L}\p{N}\p{M}_]/u.test(letter) ? "word" : "other";
};

const lineStart = (text: string, at: number): number => (at === 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1);
const lineEnd = (text: string, at: number): number => {
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end;
};

/** Made when somebody first moves by letters: making one takes 10 ms. */
const letters = (text: string): Intl.Segments =>
  (segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" })).segment(text);
let segmenter: Intl.Segmenter | undefined;

/** Behind the letter at a place, however many code units it has; at most the end of the line. */
const behindLetter = (text: string, at: number): number => {
  const [letter] = letters(text.slice(at, lineEnd(text, at)));
  return at + (letter?.segment.length ?? 0);
};
/** Where the letter before a place begins; at least the beginning of the line. */
const beforeLetter = (text: string, at: number): number => {
  const start = lineStart(text, at);
  const letter = letters(text.slice(start, lineEnd(text, at))).containing(at - start - 1);
  return start + (letter?.index ?? 0);
};

/** `big`: what blanks separate is one word. */
function nextWord(text: string, from: number, big: boolean): number {
  const kind = (at: number) => (big && kindOf(text[at]) === "other" ? "word" : kindOf(text[at]));
  let at = from;
  const first = kind(at);
  if (first !== "blank") while (at < text.length && kind(at) === first) at += 1;
  while (at < text.length && kind(at) === "blank") at += 1;
  return at;
}

function wordBefore(text: string, from: number, big: boolean): number {
  const kind = (at: number) => (big && kindOf(text[at]) === "other" ? "word" : kindOf(text[at]));
  let at = from - 1;
  while (at > 0 && kind(at) === "blank") at -= 1;
  while (at > 0 && kind(at - 1) === kind(at)) at -= 1;
  return Math.max(0, at);
}

/** The last letter of a word. */
function wordEnd(text: string, from: number, big: boolean): number {
  const kind = (at: number) => (big && kindOf(text[at]) === "other" ? "word" : kindOf(text[at]));
  let at = from + 1;
  while (at < text.length && kind(at) === "blank") at += 1;
  while (at + 1 < text.length && kind(at + 1) === kind(at)) at += 1;
  return Math.min(at, Math.max(0, text.length - 1));
}

function firstLetter(text: string, at: number): number {
  const start = lineStart(text, at);
  return start + (/^[^\S\n]*/.exec(text.slice(start, lineEnd(text, at)))?.[0].length ?? 0);
}

interface Motion {
  to: number;
  /** The letter at the end belongs to what an operator takes. */
  inclusive?: boolean;
}

/** Undefined: no motion. */
function motionOf(key: string, text: string, at: number, count: number): Motion | undefined {
  const again = (step: (from: number) => number): number => {
    let to = at;
    for (let times = 0; times < count; times++) to = step(to);
    return to;
  };
  const big = key === key.toUpperCase();
  switch (key) {
    case "h":
      return { to: again((from) => beforeLetter(text, from)) };
    case "l":
    case " ":
      return { to: again((from) => behindLetter(text, from)) };
    case "w":
    case "W":
      return { to: again((from) => nextWord(text, from, big)) };
    case "b":
    case "B":
      return { to: again((from) => wordBefore(text, from, big)) };
    case "e":
    case "E":
      return { to: again((from) => wordEnd(text, from, big)), inclusive: true };
    case "0":
      return { to: lineStart(text, at) };
    case "^":
      return { to: firstLetter(text, at) };
    case "$":
      return { to: lineEnd(text, at) };
    case "gg":
      return { to: 0 };
    case "G":
      return { to: firstLetter(text, text.length) };
    default:
      return found(key, text, at);
  }
}

/** `f`, `t`, `F` and `T`, each with the letter that is looked for within the line. */
function found(key: string, text: string, at: number): Motion | undefined {
  const [how, letter] = [key[0], key.slice(1)];
  if (letter === "" || how === undefined || !"ftFT".includes(how)) return undefined;
  if (how === "f" || how === "t") {
    const to = text.slice(0, lineEnd(text, at)).indexOf(letter, at + 1);
    return { to: to === -1 ? at : how === "f" ? to : to - 1, inclusive: to !== -1 };
  }
  const to = text.slice(0, at).lastIndexOf(letter);
  return { to: to < lineStart(text, at) ? at : how === "F" ? to : to + letter.length };
}

/** In normal mode a place is a letter, not the gap behind the last one. */
export const onLetter = (text: string, at: number): number => (at === lineEnd(text, at) ? beforeLetter(text, at) : at);

/** Keys that stand for an operator with its motion. */
const shorts: Readonly<Record<string, readonly [string, string]>> = {
  x: ["d", "l"],
  X: ["d", "h"],
  s: ["c", "l"],
  D: ["d", "$"],
  C: ["c", "$"],
  S: ["c", "c"],
  Y: ["y", "y"],
};

export class ViKeys {
  mode: "insert" | "normal" = "insert";
  /** What was typed of a command that is not whole yet. */
  #typed = "";
  #taken = { text: "", lines: false };

  /** What of a command waits for its end. */
  get pending(): string {
    return this.#typed;
  }

  insert(): void {
    this.mode = "insert";
    this.#typed = "";
  }

  normal(): void {
    this.mode = "normal";
    this.#typed = "";
  }

  /** A letter in normal mode. */
  press(letter: string, text: string, at: number): ViStep {
    this.#typed += letter;
    const parsed = /^([1-9]\d*)?([dcy])?([1-9]\d*)?(.*)$/s.exec(this.#typed);
    const [, first = "1", operator, second = "1", rest = ""] = parsed ?? [];
    const whole = /^(?:[fFtTr].+|gg|[^gfFtTr]|g[^g])$/su.test(rest);
    const unfinished: ViStep = { text, at };
    if (rest === "" || !whole) return unfinished;
    this.#typed = "";
    const count = Math.min(Number(first) * Number(second), 9_999);
    const short = operator === undefined ? shorts[rest] : undefined;
    const step = short
      ? this.#operate(short[0], short[1], { text, at, count })
      : operator === undefined
        ? this.#command(rest, { text, at, count })
        : this.#operate(operator, rest, { text, at, count });
    const done = step ?? unfinished;
    if (done.insert) this.mode = "insert";
    return done.insert ? done : { ...done, at: onLetter(done.text, done.at) };
  }

  #command(key: string, { text, at, count }: ViStep & { count: number }): ViStep | undefined {
    const behind = behindLetter(text, at);
    switch (key) {
      case "i":
        return { text, at, insert: true };
      case "a":
        return { text, at: behindLetter(text, at), insert: true };
      case "I":
        return { text, at: firstLetter(text, at), insert: true };
      case "A":
        return { text, at: lineEnd(text, at), insert: true };
      case "o":
        return inserted(text, lineEnd(text, at), "\n", 1);
      case "O":
        return inserted(text, lineStart(text, at), "\n", 0);
      case "u":
        return { text, at, library: undo };
      case "j":
        return { text, at, library: down.repeat(count) };
      case "k":
        return { text, at, library: up.repeat(count) };
      case "p":
      case "P":
        return this.#put(text, at, key === "p");
      case "J":
        return { text: joinLines(text, at), at: lineEnd(text, at) };
      case "~":
        return { text: replaced(text, at, behind, swapCase(text.slice(at, behind))), at: behind };
    }
    if (key.startsWith("r")) return behind === at ? undefined : { text: replaced(text, at, behind, key.slice(1)), at };
    const motion = motionOf(key, text, at, count);
    return motion && { text, at: motion.to };
  }

  #operate(operator: string, key: string, { text, at, count }: ViStep & { count: number }): ViStep | undefined {
    if (key === operator) return this.#wholeLines(operator, text, at, count);
    // `cw` leaves the blanks behind the word.
    const wordly = operator === "c" && /^[wW]$/.test(key) && kindOf(text[at]) !== "blank";
    const motion = motionOf(wordly ? (key === "w" ? "e" : "E") : key, text, at, count);
    if (!motion) return undefined;
    // A word that ends its line takes no other line along.
    const stop = /^[wW]$/.test(key) && !wordly ? Math.min(motion.to, endOfWordLine(text, at, motion.to)) : motion.to;
    const [from, to] = stop < at ? [stop, at] : [at, stop + (motion.inclusive ? 1 : 0)];
    this.#taken = { text: text.slice(from, to), lines: false };
    if (operator === "y") return { text, at: from };
    return { text: replaced(text, from, to, ""), at: from, insert: operator === "c" };
  }

  #wholeLines(operator: string, text: string, at: number, count: number): ViStep {
    const from = lineStart(text, at);
    let end = lineEnd(text, at);
    for (let times = 1; times < count && end < text.length; times++) end = lineEnd(text, end + 1);
    this.#taken = { text: text.slice(from, end), lines: true };
    if (operator === "y") return { text, at };
    if (operator === "c") return { text: replaced(text, from, end, ""), at: from, insert: true };
    // The last line takes the break before it along.
    const cut = end < text.length ? ([from, end + 1] as const) : ([Math.max(0, from - 1), end] as const);
    const left = replaced(text, cut[0], cut[1], "");
    return { text: left, at: firstLetter(left, Math.min(cut[0], left.length)) };
  }

  #put(text: string, at: number, behind: boolean): ViStep {
    const { text: taken, lines } = this.#taken;
    if (taken === "") return { text, at };
    if (!lines) {
      const from = behind ? behindLetter(text, at) : at;
      return { text: replaced(text, from, from, taken), at: from + taken.length - 1 };
    }
    const from = behind ? lineEnd(text, at) : lineStart(text, at);
    return { text: replaced(text, from, from, behind ? `\n${taken}` : `${taken}\n`), at: behind ? from + 1 : from };
  }
}

const replaced = (text: string, from: number, to: number, by: string): string =>
  text.slice(0, from) + by + text.slice(to);

const inserted = (text: string, at: number, what: string, behind: number): ViStep => ({
  text: replaced(text, at, at, what),
  at: at + behind,
  insert: true,
});

const endOfWordLine = (text: string, at: number, to: number): number =>
  lineEnd(text, at) < to && text.slice(lineEnd(text, at), to).trim() === "" ? lineEnd(text, at) : to;

const joinLines = (text: string, at: number): string => {
  const end = lineEnd(text, at);
  return end === text.length
    ? text
    : replaced(text, end, end + 1 + (/^[^\S\n]*/.exec(text.slice(end + 1))?.[0].length ?? 0), " ");
};

const swapCase = (letter: string): string =>
  letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase();
