// Text that stands encoded in another: decoded when what comes out is text. Bounded in number and size.
import type { Layer } from "./characters.ts";

const mostLayers = 60;
const mostDecoded = 200_000;

interface Encoding {
  rule: string;
  /** Lower bound on what any match holds: tried first. */
  hint: RegExp;
  pattern: RegExp;
  decode(match: string): string;
}

const fromBytes = (bytes: readonly number[]) => Buffer.from(bytes).toString("utf8");
const numbersIn = (match: string, radix: number, digits: RegExp) =>
  fromBytes((match.match(digits) ?? []).map((each) => Number.parseInt(each, radix)));

function fromBase32(match: string): string {
  const bytes: number[] = [];
  let held = 0;
  let bits = 0;
  for (const sign of match) {
    const five = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(sign);
    if (five < 0) break;
    held = ((held << 5) | five) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((held >> bits) & 0xff);
  }
  return fromBytes(bytes);
}

/** A line of a dump: its address, then its bytes. */
const dumped = /[0-9a-fA-F]{6,8}:?[ \t]{1,3}((?:[0-9a-fA-F]{2,4} {0,2}){4,16})/;

// Every repetition ends somewhere: a run of some MB would fill the stack of the matcher, and its beginning is enough.
const encodings: readonly Encoding[] = [
  {
    rule: "Base64 text",
    hint: /[A-Za-z0-9+/_-]{24}/,
    pattern: /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{24,50000}(?:\r?\n[ \t]{0,8}[A-Za-z0-9+/_-]{8,1000}){0,400}={0,2}/g,
    decode: (match) => Buffer.from(match.replace(/\s+/g, ""), "base64").toString("utf8"),
  },
  {
    rule: "Base32 text",
    hint: /[A-Z2-7]{32}/,
    pattern: /(?<![A-Za-z0-9+/_-])[A-Z2-7]{32,20000}={0,6}(?![A-Za-z0-9+/_-])/g,
    decode: fromBase32,
  },
  {
    rule: "hexadecimal text",
    hint: /[0-9a-fA-F]{2}[ :,]?[0-9a-fA-F]{2}[ :,]?[0-9a-fA-F]{2}/,
    pattern: /\b(?:[0-9a-fA-F]{2}[ :,]?){16,20000}/g,
    decode: (match) => numbersIn(match, 16, /[0-9a-fA-F]{2}/g),
  },
  {
    rule: "hexadecimal dump",
    hint: dumped,
    pattern: /(?:(?:^|\n)[ \t]{0,8}[0-9a-fA-F]{6,8}:?[ \t]{1,3}(?:[0-9a-fA-F]{2,4} {0,2}){4,16}[^\n]{0,20}){2,2000}/g,
    decode: (match) =>
      fromBytes(
        match.split("\n").flatMap((line) => {
          const digits = (dumped.exec(line)?.[1] ?? "").replace(/ /g, "").slice(0, 32);
          return (digits.match(/../g) ?? []).map((each) => Number.parseInt(each, 16));
        }),
      ),
  },
  {
    rule: "escaped text",
    hint: /\\x|\\u|0x/i,
    pattern:
      /(?: ?\\x[0-9a-fA-F]{2}| ?\\u(?:00[0-9a-fA-F]{2}|\{[0-9a-fA-F]{2}\})|0x[0-9a-fA-F]{2}[, ]{1,2}){12,10000}/g,
    decode: (match) => numbersIn(match.replace(/\\u00|\\u\{|\}|\\x|0x|[, ]/g, ""), 16, /[0-9a-fA-F]{2}/g),
  },
  {
    rule: "entities",
    hint: /&#/,
    pattern: /(?:&#(?:\d{2,3}|x[0-9a-fA-F]{2});\s?){12,10000}/g,
    decode: (match) =>
      fromBytes(
        [...match.matchAll(/&#(x?)([0-9a-fA-F]{2,3});/g)].map(([, hex, digits = ""]) =>
          Number.parseInt(digits, hex ? 16 : 10),
        ),
      ),
  },
  {
    rule: "percent-encoded text",
    hint: /%[0-9a-fA-F]{2}/,
    pattern: /(?:%[0-9a-fA-F]{2}){12,10000}|(?:[A-Za-z0-9.,'-]{1,30}(?:%20|\+)){5,10000}[A-Za-z0-9.,'%-]{1,30}/g,
    decode: (match) =>
      match
        .replace(/\+/g, " ")
        .replace(/%([0-9a-fA-F]{2})/g, (_all, digits: string) => String.fromCharCode(Number.parseInt(digits, 16))),
  },
  {
    rule: "decimal text",
    hint: /\d{2,3}[ ,]{1,2}\d{2,3}[ ,]{1,2}\d{2,3}/,
    pattern: /(?:\b\d{2,3}[ ,]{1,2}){15,10000}\d{2,3}\b/g,
    decode: (match) => numbersIn(match, 10, /\d{2,3}/g),
  },
  {
    rule: "binary text",
    hint: /[01]{8}/,
    pattern: /(?:[01]{8}[ ,]?){12,10000}/g,
    decode: (match) => numbersIn(match, 2, /[01]{8}/g),
  },
];

/** Nothing in it that no text has. */
function mayBeText(head: string): boolean {
  let good = 0;
  for (let at = 0; at < head.length; at += 1) {
    const code = head.charCodeAt(at);
    if ((code > 31 && code < 127) || code === 10 || code === 13 || code === 9 || (code > 0xbf && code !== 0xfffd))
      good += 1;
  }
  return good >= head.length * 0.94;
}

/** What was decoded is text: letters and blanks of some language, hardly anything else. */
export function isText(text: string): boolean {
  const head = text.slice(0, 400);
  if (head.length < 8) return false;
  return mayBeText(head) && (/[ \n]\S+[ \n]/.test(head) || /^[A-Za-z0-9+/=_-]{24,}$/.test(head));
}

export function decodedLayers(text: string): Layer[] {
  const layers: Layer[] = [];
  let size = 0;
  for (const { rule, hint, pattern, decode } of encodings) {
    if (!hint.test(text)) continue;
    for (const match of text.matchAll(pattern)) {
      if (layers.length >= mostLayers || size > mostDecoded) return layers;
      const [encoded] = match;
      // Most long runs are digests, keys and pictures: their beginning says so.
      if (encoded.length > 80 && !mayBeText(decode(encoded.slice(0, 64)).slice(0, -2))) continue;
      const decoded = decode(encoded.slice(0, 40_000));
      if (!isText(decoded)) continue;
      size += decoded.length;
      layers.push({ text: decoded, rule, start: match.index, end: match.index + encoded.length });
    }
  }
  return layers;
}
