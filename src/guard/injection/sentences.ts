// Cuts a text into sentences and says what each speaks of. One pass, bounded work per character.
import { bitsOf, type Bits } from "./concepts.ts";
import { type Entry, entryFor, pieceIndex, withoutAccents } from "./words.ts";

export interface Sentence extends Bits {
  from: number;
  to: number;
  words: number;
  /** Few of its words are of any language that is known: it may be a cipher. */
  strange: boolean;
  /** How many of them are of other languages than English. */
  foreign: number;
}

export type Range = readonly [from: number, to: number];

const mark = {
  imperative: bitsOf("imperative"),
  capitals: bitsOf("capitals"),
  address: bitsOf("address"),
  mail: bitsOf("mail"),
  path: bitsOf("path"),
  amount: bitsOf("amount"),
  code: bitsOf("code"),
  marker: bitsOf("marker"),
  hidden: bitsOf("hidden"),
  loud: bitsOf("loud"),
  question: bitsOf("question"),
  codelike: bitsOf("codelike"),
};
const leading = bitsOf("please", "must", "todo", "switch");

const longestSentence = 60;
const longestWord = 40;

const markerPattern =
  /<\/?(?:system|important|information|instructions?|admin|secret|data|assistant|user|human|tool|function|priority|command|override|inst|ai)\b|<\|(?:im_|start|end|system|user|assistant)|\[\/?(?:inst|system|admin|instructions?|important)\b|<<\/?sys>>|#{1,4} ?(?:system|instructions?|human|user|assistant|new task|task)\s*:?\s*\n|"role"\s*:\s*"/iy;
const rolePattern = /(?:system|human|user|assistant|developer|ai)\s*(?:message|prompt)?\s*:/iy;
const pathPattern = /\.(?:env|ssh|aws|npmrc|netrc|bashrc|zshrc|kube|git-credentials)\b|~\/|\/(?:etc|root|home)\//y;
const domainPattern = /\.(?:com|org|net|io|example|xyz|ru|cn|dev|app|co|me|info|site|online|test)\b/iy;

const at = (pattern: RegExp, text: string, index: number): boolean => {
  pattern.lastIndex = index;
  return pattern.test(text);
};

const isDigit = (code: number) => code >= 48 && code <= 57;
const isUpper = (code: number) => code >= 65 && code <= 90;
const isLower = (code: number) => code >= 97 && code <= 122;
const isDense = (code: number) =>
  (code >= 0x3040 && code <= 0x30ff) || (code >= 0x3400 && code <= 0x9fff) || (code >= 0xac00 && code <= 0xd7af);
/** Everything beyond Latin-1's signs counts as a letter, but for punctuation and what stands without spaces. */
const isLetter = (code: number) =>
  isLower(code) ||
  isUpper(code) ||
  (code >= 0xc0 &&
    !(code >= 0x2000 && code <= 0x2bff) &&
    !(code >= 0x3000 && code <= 0x303f) &&
    !isDense(code) &&
    code < 0xff00);

/** `text` is normal (characters.ts); sentences that begin inside one of `hidden` are marked. */
export function sentencesOf(text: string, hidden: readonly Range[] = []): Sentence[] {
  return new Cutter(text, hidden).cut();
}

class Cutter {
  readonly #text: string;
  readonly #hidden: readonly Range[];
  readonly #found: Sentence[] = [];
  #nextHidden = 0;
  #from = -1;
  #low = 0;
  #high = 0;
  #words = 0;
  #known = 0;
  #foreign = 0;
  #capitals = 0;
  #signs = 0;
  #marked = false;
  /** The next word may begin an order. */
  #lead = true;
  #before: [string, string, string] = ["", "", ""];

  constructor(text: string, hidden: readonly Range[]) {
    this.#text = text;
    this.#hidden = hidden;
  }

  cut(): Sentence[] {
    const text = this.#text;
    const borders = this.#hidden.flat().sort((left, right) => left - right);
    let border = 0;
    for (let index = 0; index < text.length; ) {
      // What is hidden is a sentence of its own.
      if (index >= (borders[border] ?? Infinity)) {
        while (index >= (borders[border] ?? Infinity)) border += 1;
        this.#end(index);
        this.#reset();
      }
      const code = text.charCodeAt(index);
      if (isLetter(code)) index = this.#word(index);
      else if (isDense(code)) index = this.#dense(index, code);
      else index = this.#sign(index, code);
    }
    this.#end(text.length);
    return this.#found;
  }

  #add(bits: Bits): void {
    this.#low |= bits.low;
    this.#high |= bits.high;
  }

  #begin(index: number): void {
    if (this.#from < 0) this.#from = index;
  }

  #word(index: number): number {
    const text = this.#text;
    let end = index + 1;
    let upper = isUpper(text.charCodeAt(index)) ? 1 : 0;
    let ascii = text.charCodeAt(index) < 128;
    for (; end < text.length && end - index < longestWord; end += 1) {
      const code = text.charCodeAt(end);
      if (!isLetter(code) && !isDigit(code)) break;
      if (isUpper(code)) upper += 1;
      else if (code > 127) ascii = false;
    }
    this.#begin(index);
    if (this.#words === 0 && at(rolePattern, text, index)) this.#add(mark.marker);
    const raw = text.slice(index, end);
    if (upper === raw.length && upper > 2) this.#capitals += 1;
    const lower = upper > 0 || !ascii ? raw.toLowerCase() : raw;
    this.#take(ascii ? lower : withoutAccents(lower));
    if (this.#words >= longestSentence) this.#end(end);
    return end;
  }

  #take(word: string): void {
    const entry = entryFor(word);
    this.#words += 1;
    if (entry) {
      this.#known += 1;
      if (entry.foreign) this.#foreign += 1;
      this.#add(entry);
      if (entry.phrases) this.#phrases(entry.phrases);
      if (this.#lead && entry.acts) this.#add(mark.imperative);
    }
    const leads = entry !== undefined && ((entry.low & leading.low) | (entry.high & leading.high)) !== 0;
    this.#lead = leads || (this.#lead && word === "and");
    this.#before = [this.#before[1], this.#before[2], word];
  }

  #phrases(phrases: NonNullable<Entry["phrases"]>): void {
    for (const { before, bits } of phrases) {
      const offset = 3 - before.length;
      if (offset >= 0 && before.every((word, position) => this.#before[offset + position] === word)) this.#add(bits);
    }
  }

  #dense(index: number, code: number): number {
    this.#begin(index);
    this.#words += 0.5;
    for (const piece of pieceIndex.get(code) ?? []) {
      if (!this.#text.startsWith(piece.text, index)) continue;
      this.#known += 1;
      this.#foreign += 1;
      this.#add(piece);
    }
    if (this.#words >= longestSentence) this.#end(index + 1);
    return index + 1;
  }

  #sign(index: number, code: number): number {
    const text = this.#text;
    switch (code) {
      case 0x0a:
        return this.#line(index);
      case 0x2e: // .
        return this.#dot(index);
      case 0x21: // !
      case 0xff01:
        this.#add(mark.loud);
        return this.#stop(index);
      case 0x3f: // ?
      case 0xff1f:
        this.#add(mark.question);
        return this.#stop(index);
      case 0x3002: // 。
        this.#end(index + 1);
        return index + 1;
      case 0x3a: // :
        if (text.startsWith("//", index + 1)) this.#add(mark.address);
        this.#lead = true;
        return index + 1;
      case 0x2c: // ,
      case 0xff0c:
        this.#lead = true;
        return index + 1;
      case 0x5c: // \n in a JSON string
        if (text.charCodeAt(index + 1) !== 0x6e && text.charCodeAt(index + 1) !== 0x72) return index + 1;
        if (!isLower(text.charCodeAt(index + 2))) this.#end(index);
        return index + 2;
      default:
        return this.#otherSign(index, code);
    }
  }

  #otherSign(index: number, code: number): number {
    const text = this.#text;
    switch (code) {
      case 0x40: // @
        if (index > 0 && isLetter(text.charCodeAt(index + 1)) && isLetter(text.charCodeAt(index - 1)))
          this.#add(mark.mail);
        break;
      case 0x60:
        this.#add(mark.code);
        break;
      case 0x24: // $
        if (isDigit(text.charCodeAt(index + 1))) this.#add(mark.amount);
        this.#signs += 1;
        break;
      case 0x7e: // ~
      case 0x2f: // /
        if (at(pathPattern, text, index)) this.#add(mark.path);
        break;
      case 0x3c: // <
      case 0x5b: // [
      case 0x23: // #
        this.#open(index);
        break;
      case 0x22: // "
        this.#quote(index);
        break;
      case 0x7b: // {
      case 0x7d: // }
      case 0x7c: // |
      case 0x3e: // >
      case 0x09:
        this.#signs += code === 0x09 || code === 0x7c ? 0 : 1;
        this.#end(index);
        break;
      case 0x28:
      case 0x29:
      case 0x3b:
      case 0x3d:
        this.#signs += 1;
        break;
    }
    return index + 1;
  }

  #open(index: number): void {
    if (at(markerPattern, this.#text, index)) {
      this.#end(index);
      this.#marked = true;
    } else if (this.#text.charCodeAt(index) === 0x3c) this.#end(index);
  }

  /** A string that ends as JSON or CSV ends them, or begins as an attribute's value. */
  #quote(index: number): void {
    const next = this.#text.charCodeAt(index + 1);
    const before = this.#text.charCodeAt(index - 1);
    if (next === 0x2c || next === 0x3a || next === 0x7d || next === 0x5d || before === 0x2c || before === 0x3d)
      this.#end(index);
    else if (at(markerPattern, this.#text, index)) this.#marked = true;
    this.#lead = true;
  }

  #dot(index: number): number {
    const next = this.#text.charCodeAt(index + 1);
    if (isLetter(next)) {
      if (at(domainPattern, this.#text, index)) {
        this.#add(mark.address);
        return domainPattern.lastIndex;
      }
      if (at(pathPattern, this.#text, index)) this.#add(mark.path);
      return index + 1;
    }
    if (isDigit(next)) return index + 1;
    return this.#stop(index);
  }

  #stop(index: number): number {
    this.#end(index + 1);
    return index + 1;
  }

  /** A wrapped line goes on in small letters; comment signs before them count for nothing. */
  #line(index: number): number {
    const text = this.#text;
    let next = index + 1;
    while (next < text.length && next - index < 40 && " \t/*#>".includes(text.charAt(next))) next += 1;
    const code = text.charCodeAt(next);
    const goesOn = (isLower(code) || code > 0xbf) && !isDense(code) && !at(rolePattern, text, next);
    if (!goesOn) this.#end(index);
    if (text.charCodeAt(index + 1) === 0x23) return index + 1;
    return goesOn ? next : index + 1;
  }

  #end(to: number): void {
    if (this.#words > 0) this.#push(to);
    if (this.#words > 0 || this.#from >= 0) this.#reset();
    this.#lead = true;
  }

  #push(to: number): void {
    const { from, words } = { from: this.#from, words: this.#words };
    if (this.#capitals > 1) this.#add(mark.capitals);
    if (this.#signs > 2) this.#add(mark.codelike);
    if (this.#marked) this.#add(mark.marker);
    while (this.#nextHidden < this.#hidden.length && (this.#hidden[this.#nextHidden]?.[1] ?? 0) <= from)
      this.#nextHidden += 1;
    const range = this.#hidden[this.#nextHidden];
    if (range && range[0] <= from) this.#add(mark.hidden);
    const strange = words >= 4 && this.#known * 6 < words;
    this.#found.push({ from, to, words, strange, foreign: this.#foreign, low: this.#low, high: this.#high });
    this.#marked = false;
  }

  #reset(): void {
    this.#from = -1;
    this.#low = 0;
    this.#high = 0;
    this.#words = 0;
    this.#known = 0;
    this.#foreign = 0;
    this.#capitals = 0;
    this.#signs = 0;
    this.#before = ["", "", ""];
  }
}
