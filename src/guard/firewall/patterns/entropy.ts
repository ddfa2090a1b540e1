// Tells a random secret from a word, an identifier, a placeholder or a public digest.

/** Shannon entropy in bits per character. */
export function entropy(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) {
    const share = count / text.length;
    bits -= share * Math.log2(share);
  }
  return bits;
}

export const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const sample =
  /x{5}|\*{3}|\.{3}|…|example|placeholder|redacted|your[_-]?|<[^>]*>|0{8}|1{8}|changeme|insert|replace|dummy|sample|-here$|_here$|here_|fake|deadbeef|foobar|abcdefabcdef|12345678901234567890123/i;

/** The body of a token whose beginning already says what it is: no row of x, no "your token here". */
export function filled(body: string): boolean {
  if (sample.test(body)) return false;
  if (!/\d/.test(body) && isWords(body)) return false;
  return new Set(body.toLowerCase()).size >= Math.min(6, body.length / 2);
}

/** Letters that could be read aloud: vowels often enough, no long run of consonants. */
function isSpoken(piece: string): boolean {
  if (piece.length <= 3 || (piece.length <= 5 && piece === piece.toUpperCase())) return true;
  const vowels = piece.match(/[aeiouy]/gi)?.length ?? 0;
  return vowels / piece.length >= 0.15 && vowels / piece.length <= 0.75 && !/[bcdfghjklmnpqrstvwxz]{5}/i.test(piece);
}

/** camelCase, snake_case, kebab-case or dotted words, with a number here and there. */
export function isWords(text: string): boolean {
  const pieces = text.split(
    /[_.\-/+=:@#!?&%$*~,; ]|(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[A-Za-z])(?=\d)|(?<=\d)(?=[A-Za-z])/,
  );
  const letters = pieces.filter((piece) => /^[A-Za-z]+$/.test(piece));
  const words = letters.filter((piece) => /^(?:[A-Z]?[a-z]+|[A-Z]+)$/.test(piece) && isSpoken(piece));
  const length = words.reduce((sum, piece) => sum + (piece.length > 2 ? piece.length : 0), 0);
  const changes = pieces.length - 1;
  return words.length === letters.length && length >= text.length * 0.5 && changes <= text.length / 3.5;
}

/** No words: several kinds of characters, little repetition, nothing that reads like an identifier. */
export function looksRandom(text: string): boolean {
  if (text.length < 12 || sample.test(text)) return false;
  if (entropy(text) < Math.min(3.2, Math.log2(text.length) * 0.82)) return false;
  if (rest(text).length < 6) return false;
  if (!/\d/.test(text))
    return (
      /[A-Za-z]{12}/.test(text) &&
      !text.includes(".") &&
      /[A-Z]/.test(text) &&
      /[a-z]/.test(text) &&
      entropy(text) >= 3.6 &&
      !isWords(text)
    );
  return !isWords(text) && !isListing(text);
}

/** The alphabet, the digits: a test of a decoder, not a secret. */
const isListing = (text: string): boolean => /abcdefghijkl|0123456789abcdef$|zyxwvutsrq/i.test(text);

const stems =
  /pass(?:word|wd|phrase)?|p[a@4][s5$]{2}w(?:[o0]r)?d?|s[e3]cr[e3]t|example|sample|test(?:ing|er)?|demo|dummy|fake|mock|foo|bar|baz|qux|user(?:name)?|admin|root|guest|change(?:[_-]?me)?|change|default|your|value|string|here|hidden|token|key|auth|api|credential|private|client|login|pwd|qwerty|letmein|hunter|abc|xyz|1234567890?|123456?|1234|123|xxx+|something|correct|wrong|invalid|valid|bad|good|new|old|my|the|some|this|that|not|super|very|really|strong|weak|safe|secure|db|database|mysql|postgres(?:ql)?|redis|mongo|app|dev|prod|local|random|enter|insert|null|none|undefined|true|false|plain|text|hello|world|signing|encrypted?|encryption|access|session|jwt|cookie|basic|bearer|welcome|monkey|dragon|temp|tmp|placeholder|replace|required|optional|redacted|masked/gi;

/** What is left of a password when the words of examples are taken out. */
const rest = (text: string): string => text.replace(stems, "").replace(/[^A-Za-z0-9]|\d{1,4}$/g, "");

const kindsOf = (text: string): number =>
  [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((kind) => kind.test(text)).length;

/** A password that somebody chose: not random, but no word and no example either. */
export function looksChosen(text: string): boolean {
  if (text.length < 6 || text.length > 200 || /\s/.test(text) || sample.test(text) || isListing(text)) return false;
  if (looksRandom(text)) return true;
  if (/^\w+(?:\|\w+)+$/.test(text) || (text.length >= 16 && isWords(text))) return false;
  if (rest(text).length < Math.min(5, text.length - 2)) return false;
  const kinds = kindsOf(text);
  if (kinds < 2 || !/\d|[!@#$%^&*+?~|]/.test(text) || !/[A-Za-z]/.test(text)) return false;
  if (entropy(text) < 2.3) return false;
  return kinds >= 3 ? text.length >= 7 : text.length >= 8 && /\d/.test(text) && !/^[a-z]+\d{1,4}$/i.test(text);
}

/** Tokens printed in the standards and in the documentation of everybody: RFC 2617, 6749, 6750, 7519, AWS, jwt.io. */
const printed: readonly string[] = [
  "mF_9.B5f-4.1JqM",
  "2YotnFZFEjr1zCsicMWpAA",
  "tGzv3JOkF0XG5Qx2TlKWIA",
  "czZCaGRSa3F0MzpnWDFmQmF0M2JW",
  "QWxhZGRpbjpvcGVuIHNlc2FtZQ",
  "SplxlOBeZQQYbYS6WxSbIA",
  "SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c",
  "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
  "TJVA95OrM7E2cBab30RMHrHDcEfxjoYZgeFONFh7HgQ",
  "EXAMPLEKEY",
];
export const isPrinted = (text: string): boolean => printed.some((each) => text.includes(each));
