// A text as it is meant: without what cannot be seen, look-alikes folded, with what was hidden that way.
import { entryFor, withoutAccents } from "./words.ts";

export interface Finding {
  rule: string;
  start: number;
  end: number;
}

/** Text that stood hidden in another: read again, and judged more strictly. */
export interface Layer {
  text: string;
  rule: string;
  start: number;
  end: number;
}

interface Normal {
  text: string;
  /** Where a position of `text` was in the original. */
  origin(index: number): number;
  found: Finding[];
  layers: Layer[];
  /** Ranges of `text` that a terminal would not show. */
  concealed: [number, number][];
}

const special = /[^\u0000-\u001a\u001c-\u007f]/;

/** Plain ASCII is normal already. */
export function normalised(text: string): Normal {
  if (!special.test(text)) return { text, origin: (index) => index, found: [], layers: [], concealed: [] };
  return new Folder(text).fold();
}

const isInvisible = (code: number): boolean =>
  code === 0xad ||
  code === 0x34f ||
  code === 0x115f ||
  code === 0x1160 ||
  code === 0x17b4 ||
  code === 0x17b5 ||
  (code >= 0x180b && code <= 0x180e) ||
  (code >= 0x200b && code <= 0x200f) ||
  (code >= 0x2060 && code <= 0x2064) ||
  (code >= 0x206a && code <= 0x206f) ||
  code === 0x3164 ||
  code === 0xfeff ||
  code === 0xffa0;
const isTurn = (code: number) => (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
const isTag = (code: number) => code >= 0xe0000 && code <= 0xe007f;
const isSelector = (code: number) => (code >= 0xfe00 && code <= 0xfe0f) || (code >= 0xe0100 && code <= 0xe01ef);
const isMark = (code: number) => (code >= 0x300 && code <= 0x36f) || (code >= 0x20d0 && code <= 0x20ff);
const isStyled = (code: number) =>
  (code >= 0xff01 && code <= 0xff5e) ||
  (code >= 0x1d400 && code <= 0x1d7ff) ||
  (code >= 0x2460 && code <= 0x24ff) ||
  (code >= 0x2100 && code <= 0x214f) ||
  (code >= 0x1f100 && code <= 0x1f189);
const isAsciiLetter = (code: number) => (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
const isRightToLeft = (code: number) => code >= 0x590 && code <= 0x8ff;

/** Letters of other alphabets that look like Latin ones. */
const lookalikes = new Map(
  [
    ..."аaеeоoрpсcуyхxіiјjѕsһhԁdԛqԝwАAВBЕEКKМMНHОOРPСCТTУYХXІIЈJЅSοoνvαaιiρpτtυuκkηnωwΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧXɡgⅼlսuոnօoհh",
  ].flatMap((letter, at, all): [string, string][] => (at % 2 === 0 ? [[letter, all[at + 1] ?? ""]] : [])),
);

const ansi = /\u001b(?:\[[0-?]{0,30}[ -/]{0,4}[@-~]|\][^\u0007\u001b]{0,400}(?:\u0007|\u001b\\)?|[@-Z\\^_])/y;
const concealing = /\[(?:\d+;)*(?:8|30;40|37;47|97;107|38;5;0;48;5;0)m$/;

/** Words of this many letters and more are compared with look-alikes folded. */
const shortestMixed = 3;
const longestRun = 20_000;
const mostTurns = 100;

class Folder {
  readonly #source: string;
  readonly #out: string[] = [];
  readonly #origins: number[] = [];
  readonly #found: Finding[] = [];
  readonly #layers: Layer[] = [];
  readonly #concealed: [number, number][] = [];
  #length = 0;
  #styled = 0;
  #styledFrom = -1;
  #turns = 0;
  #concealedFrom = -1;
  /** Invisible characters inside Latin words: where in the output. */
  readonly #inside: { at: number; from: number; soft: boolean }[] = [];

  constructor(source: string) {
    this.#source = source;
  }

  fold(): Normal {
    const source = this.#source;
    for (let index = 0; index < source.length; ) {
      const code = source.codePointAt(index) ?? 0;
      if (code < 0x80 && code !== 0x1b) {
        this.#put(source.charAt(index), index);
        index += 1;
      } else index = this.#take(index, code);
    }
    if (this.#concealedFrom >= 0) this.#concealed.push([this.#concealedFrom, this.#length]);
    this.#origins.push(source.length);
    const text = this.#unmixed(this.#out.join(""));
    this.#judgeInside(text);
    if (this.#styled >= 8)
      this.#layers.push({ text, rule: "styled letters", start: this.#styledFrom, end: source.length });
    const origins = this.#origins;
    return {
      text,
      origin: (index) => origins[Math.max(0, Math.min(index, origins.length - 1))] ?? source.length,
      ...{ found: this.#found, layers: this.#layers, concealed: this.#concealed },
    };
  }

  #put(piece: string, from: number): void {
    this.#out.push(piece);
    for (let unit = 0; unit < piece.length; unit += 1) this.#origins.push(from);
    this.#length += piece.length;
  }

  #take(index: number, code: number): number {
    if (code === 0x1b) return this.#escape(index);
    const width = code > 0xffff ? 2 : 1;
    if (isTag(code)) return this.#tags(index);
    if (isSelector(code)) return this.#selectors(index);
    if (isTurn(code)) return this.#turn(index, code);
    if (isInvisible(code)) return this.#invisible(index, code);
    if (isMark(code) && isAsciiLetter(this.#out.at(-1)?.charCodeAt(0) ?? 0)) return index + width;
    if (isStyled(code)) {
      const plain = String.fromCodePoint(code).normalize("NFKC");
      // Single ones of this block are signs in their own right.
      if (/^[A-Za-z]$/.test(plain) && (code < 0x2100 || code > 0x214f)) {
        this.#styled += 1;
        if (this.#styledFrom < 0) this.#styledFrom = index;
      }
      this.#put(plain, index);
    } else this.#put(this.#source.slice(index, index + width), index);
    return index + width;
  }

  #escape(index: number): number {
    ansi.lastIndex = index;
    const [sequence] = ansi.exec(this.#source) ?? [];
    if (sequence === undefined) {
      this.#put(" ", index);
      return index + 1;
    }
    if (concealing.test(sequence)) {
      if (this.#concealedFrom < 0) this.#concealedFrom = this.#length;
    } else if (this.#concealedFrom >= 0 && sequence.endsWith("m")) {
      this.#concealed.push([this.#concealedFrom, this.#length]);
      this.#found.push({ rule: "concealed by colours", start: index, end: index + sequence.length });
      this.#concealedFrom = -1;
    }
    return index + sequence.length;
  }

  /** Characters that exist twice, once invisibly; flags of regions are spelled with them too. */
  #tags(index: number): number {
    let end = index;
    let text = "";
    while (end < this.#source.length && end - index < longestRun) {
      const code = this.#source.codePointAt(end) ?? 0;
      if (!isTag(code)) break;
      if (code >= 0xe0020 && code <= 0xe007e) text += String.fromCharCode(code - 0xe0000);
      end += 2;
    }
    const before = this.#source.codePointAt(Math.max(0, index - 2));
    if (!(before === 0x1f3f4 && text.length <= 6)) this.#hidden(text, { start: index, end });
    return end;
  }

  #hidden(text: string, { start, end }: { start: number; end: number }): void {
    this.#found.push({ rule: "hidden Unicode", start, end });
    if (text.length > 3) this.#layers.push({ text, rule: "hidden Unicode", start, end });
  }

  /** One chooses a glyph; many in a row are bytes. */
  #selectors(index: number): number {
    let end = index;
    const bytes: number[] = [];
    while (end < this.#source.length && bytes.length < longestRun) {
      const code = this.#source.codePointAt(end) ?? 0;
      if (!isSelector(code)) break;
      bytes.push(code < 0x10000 ? code - 0xfe00 : code - 0xe0100 + 16);
      end += code < 0x10000 ? 1 : 2;
    }
    if (bytes.length > 3) this.#hidden(Buffer.from(bytes).toString("utf8"), { start: index, end });
    return end;
  }

  /** What is turned round is read the other way as well; right-to-left scripts turn for good reason. */
  #turn(index: number, code: number): number {
    if (this.#turns > mostTurns || code === 0x202c || code === 0x2069) return index + 1;
    this.#turns += 1;
    const closer = code < 0x2060 ? "\u202c" : "\u2069";
    const close = this.#source.slice(index, index + 2000).indexOf(closer);
    const end = close < 0 ? Math.min(this.#source.length, index + 2000) : index + close;
    const inside = [...this.#source.slice(index + 1, end)];
    const natural = inside.some((letter) => isRightToLeft(letter.codePointAt(0) ?? 0));
    if (code === 0x202d || code === 0x202e || (!natural && code !== 0x202a && code !== 0x2066 && code !== 0x2068)) {
      this.#found.push({ rule: "hidden Unicode", start: index, end });
      this.#layers.push({ text: inside.reverse().join(""), rule: "reversed text", start: index, end });
    }
    return index + 1;
  }

  #invisible(index: number, code: number): number {
    let end = index + 1;
    while (end < this.#source.length && end - index < longestRun && isInvisible(this.#source.charCodeAt(end))) end += 1;
    if (end - index >= 8) this.#bits(index, end);
    const after = this.#source.charCodeAt(end);
    const before = this.#out.at(-1)?.charCodeAt(0) ?? 0;
    if (isAsciiLetter(before) && isAsciiLetter(after))
      this.#inside.push({ at: this.#length, from: index, soft: code === 0xad });
    return end;
  }

  /** Two invisible characters are noughts and ones. */
  #bits(start: number, end: number): void {
    const run = this.#source.slice(start, end);
    const kinds = [...new Set(run)];
    this.#found.push({ rule: "hidden Unicode", start, end });
    if (kinds.length !== 2) return;
    for (const one of kinds) {
      const bits = [...run].map((each) => (each === one ? "1" : "0")).join("");
      const bytes = bits.match(/.{8}/g)?.map((each) => Number.parseInt(each, 2)) ?? [];
      this.#layers.push({ text: Buffer.from(bytes).toString("latin1"), rule: "hidden Unicode", start, end });
    }
  }

  /** Latin words with look-alikes in them: folded, and told when there are several or one that matters. */
  #unmixed(text: string): string {
    const mixed: Finding[] = [];
    let telling = false;
    const folded = text.replace(
      /[A-Za-z\u0370-\u03ff\u0400-\u052f\u0570-\u0585\u0261\u217c]{3,40}/g,
      (word, at: number) => {
        if (!/[A-Za-z]/.test(word) || /^[\u0000-\u007f]+$/.test(word)) return word;
        const plain = [...word].map((letter) => lookalikes.get(letter) ?? letter).join("");
        if (plain.length < shortestMixed || !/^[A-Za-z]+$/.test(plain) || plain.length !== word.length) return word;
        mixed.push({
          rule: "look-alike letters",
          start: this.#origins[at] ?? 0,
          end: this.#origins[at + word.length] ?? 0,
        });
        telling ||= plain.length > 3 && entryFor(plain.toLowerCase()) !== undefined;
        return plain;
      },
    );
    if (mixed.length > 2 || telling) {
      this.#found.push(...mixed.slice(0, 20));
      this.#layers.push({
        text: folded,
        rule: "look-alike letters",
        start: mixed[0]?.start ?? 0,
        end: mixed.at(-1)?.end ?? 0,
      });
    }
    return folded;
  }

  /** Invisible characters matter where they break up a word that matters, or many words. */
  #judgeInside(text: string): void {
    const telling = this.#inside.filter(({ at }) => {
      const word = `${/[A-Za-z]{0,20}$/.exec(text.slice(Math.max(0, at - 20), at))?.[0] ?? ""}${/^[A-Za-z]{0,20}/.exec(text.slice(at, at + 20))?.[0] ?? ""}`;
      const entry = word.length > 4 ? entryFor(withoutAccents(word.toLowerCase())) : undefined;
      return entry !== undefined && (entry.low | entry.high) !== 0;
    });
    const hard = this.#inside.filter(({ soft }) => !soft);
    const told = telling.length > 0 ? telling : hard.length > 4 ? hard : [];
    if (told.length === 0) return;
    for (const { from } of told.slice(0, 20)) this.#found.push({ rule: "hidden Unicode", start: from, end: from + 1 });
    this.#layers.push({ text, rule: "hidden Unicode", start: told[0]?.from ?? 0, end: told.at(-1)?.from ?? 0 });
  }
}
