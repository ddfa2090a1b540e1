// `echo` and `printf`: what they print, as far as their words are known.
import { secretVariable } from "../../rules/variables.ts";
import { type Context, type Handler, note } from "../../command-line/context/context.ts";
import {
  type Flow,
  hole,
  literal,
  nothing,
  Origin,
  type Text,
  unknown,
  unknownText,
} from "../../command-line/syntax/text.ts";
import { judgeOption, sets } from "./variables.ts";

export const echo: Handler = (argv, at) => {
  const words = argv.slice(1);
  const escapes = words.some((text, index) => index < 2 && /^-[nE]*e[neE]*$/.test(text.value));
  const printed = words.filter((text, index) => !(index < 2 && /^-[neE]+$/.test(text.value)));
  for (const text of printed) printsSecret(text, at);
  const value = printed.map((text) => text.value).join(" ");
  let from = printed.reduce((bits, text) => bits | text.from, 0);
  if (escapes && coded.test(value)) from |= Origin.decoded;
  if (printed.some((text) => text.holes || text.glob || text.doubtful)) return unclear(printed, from);
  // Numbers without a zero before them are understood by some shells only.
  const text = !escapes ? value : /\\[1-7]/.test(value) ? undefined : unescaped(value, inWord);
  return text === undefined ? unknown(from | Origin.program) : { shape: "unknown", from, text: `${text}\n` };
};

/** Characters given by their numbers. */
const coded = /\\([x0-7uU])/;

/** Names of files, where nothing else is unknown; all there are, where the pattern takes all. */
function unclear(words: readonly Text[], from: number): Flow {
  if (words.every((text) => !text.glob && !text.doubtful && countable(text))) return { shape: "numbers", from };
  const listed = words.every((text) => !text.holes || text.names) && words.every((text) => text.holes || text.glob);
  const all = words.some((text) => text.glob && /^(\.{0,2}\/)?\*$|^\/\*$/.test(text.value));
  return listed ? { shape: "names", from: all ? from | Origin.everything : from } : unknown(from | Origin.program);
}

const countable = (text: Text): boolean => (text.holes ? text.numeric : true) && /^[-\d\s\u0000]*$/.test(text.value);

function printsSecret(text: Text, at: Context): void {
  if (!text.holes || !(text.from & Origin.environment)) return;
  for (const found of at.part.matchAll(/\$\{?!?(\w+)/g))
    if (secretVariable.test(found[1] ?? "") && !at.scope.variables.has(found[1] ?? ""))
      note(at, "L2", "shell.prints-secret", `prints the variable ${found[1]}`, "sensitive-read");
}

const letters: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  a: "\u0007",
  b: "\b",
  f: "\f",
  v: "\v",
  e: "\u001b",
  E: "\u001b",
  "\\": "\\",
  '"': '"',
  "'": "'",
};

/** A format's octal numbers have three digits at most; elsewhere a zero may stand before them. */
const inFormat = /\\(x[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{1,4}|U[0-9a-fA-F]{1,8}|[0-7]{1,3}|[\s\S])/g;
const inWord = /\\(x[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{1,4}|U[0-9a-fA-F]{1,8}|0[0-7]{0,3}|[1-7][0-7]{0,2}|[\s\S])/g;

/** Undefined where the output ends early (`\\c`) or holds a NUL, which some readers drop and others split at. */
function unescaped(value: string, escape: RegExp): string | undefined {
  if (/\\c/.test(value)) return undefined;
  const printed = value.replace(escape, (whole: string, what: string) => {
    const number = /^(?:[xuU]([0-9a-fA-F]+)|([0-7]+))$/.exec(what);
    if (!number) return letters[what] ?? whole;
    const code = number[1] === undefined ? Number.parseInt(what, 8) : Number.parseInt(number[1], 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : "";
  });
  return printed.includes(hole) ? undefined : printed;
}

/** The format, used again until no word is left; undefined when it holds what is not followed here. */
function formatted(format: string, words: readonly Text[]): string | undefined {
  const pieces = format.split(/(%%|%[-+ 0#]*\d*(?:\.\d+)?[a-zA-Z])/);
  const takes = pieces.filter((piece) => /^%[^%]/.test(piece)).length;
  const values = words.map((text) => text.value);
  let printed = "";
  let next = 0;
  do {
    for (const piece of pieces) {
      const made = piece.startsWith("%") && piece !== "%%" ? value(piece, values[next++] ?? "") : plain(piece);
      if (made === undefined) return undefined;
      printed += made;
    }
  } while (takes > 0 && next < values.length && printed.length < longest);
  return printed.length < longest ? printed : undefined;
}

const plain = (piece: string): string | undefined => (piece === "%%" ? "%" : unescaped(piece, inFormat));

function value(directive: string, word: string): string | undefined {
  if (directive === "%s" || (directive === "%d" && /^-?\d*$/.test(word))) return word;
  if (directive === "%c") return word.slice(0, 1);
  return directive === "%b" ? unescaped(word, inWord) : undefined;
}

const longest = 50_000;

export const printf: Handler = (argv, at) => {
  const words = argv.slice(1);
  judgeOption(words[0], at);
  const attached = /^-v([\s\S]+)$/.exec(words[0]?.value ?? "")?.[1];
  if (words[0]?.value !== "-v" && attached === undefined) return print(words, at);
  if (words[0] && attached !== undefined) words.splice(0, 1, literal("-v"), { ...words[0], value: attached });
  const { from, text } = print(words.slice(2), at);
  sets(words[1], at, text === undefined ? unknownText(from) : literal(text));
  const value = text === undefined ? unknownText(from) : { ...literal(text), from };
  at.scope.set(words[1]?.value ?? "", [{ ...value, computed: true }]);
  return nothing;
};

function print(given: readonly Text[], at: Context): Flow {
  const words = given[0]?.value === "--" ? given.slice(1) : given;
  for (const text of words) printsSecret(text, at);
  const [format, ...more] = words;
  if (!format) return nothing;
  let from = words.reduce((bits, text) => bits | text.from, 0);
  if (coded.test(format.value) || (format.value.includes("%b") && more.some((text) => coded.test(text.value))))
    from |= Origin.decoded;
  if (words.some((text) => text.holes || text.glob || text.doubtful))
    return /^%s(\\n|\\0| )?$/.test(format.value) ? unclear(more, from) : unknown(from | Origin.program);
  const text = formatted(format.value, more);
  return text === undefined ? unknown(from | Origin.program) : { shape: "unknown", from, text };
}
