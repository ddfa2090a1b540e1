// Tells a random secret from a word, an identifier or a public digest.

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

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** No words: several kinds of characters, little repetition, no run of letters that reads like an identifier. */
export function looksRandom(text: string): boolean {
  if (text.length < 12 || entropy(text) < 3.2) return false;
  if (!/\d/.test(text)) return /[A-Z]/.test(text) && /[a-z]/.test(text) && !isWords(text) && entropy(text) >= 4;
  return !isWords(text);
}

/** camelCase, snake_case, kebab-case or dotted words, with a number here and there. */
function isWords(text: string): boolean {
  const pieces = text.split(/[_.\-/+=:]|(?<=[a-z\d])(?=[A-Z])/).filter(Boolean);
  return (
    pieces.every((piece) => /^(?:[A-Z]?[a-z]+|[A-Z]+)?\d{0,4}$/.test(piece) && piece.length <= 16) &&
    text.length / pieces.length >= 3
  );
}

const placeholder =
  /^(?:x{3,}|\*{3,}|\.{3,}|<.*>|your[\w-]*|change[\w-]*|example[\w-]*|placeholder|undefined|null|none|true|false|redacted|dummy[\w-]*|test[\w-]*|sample[\w-]*)$/i;
const reference =
  /^(?:[A-Za-z_$][\w$]*(?:\.|\?\.|::|->)[A-Za-z_$]|process\.|os\.|env[.[]|@|%|\/[\w./-]+$|\.{1,2}\/|https?:)/;

/** The value of an assignment to a name that says "secret". `quoted`: in quotes; `aside`: the name says it is something else. */
export function looksSecret(value: string, quoted: boolean, aside: boolean): boolean {
  if (aside || placeholder.test(value) || uuid.test(value) || /^(?:sha\d+|md5)[-:]/i.test(value)) return false;
  if (reference.test(value)) return quoted && looksRandom(value) && value.length >= 20;
  if (/^[\d.]+$/.test(value)) return false;
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((kind) => kind.test(value)).length;
  if (value.length >= 16) return looksRandom(value);
  return kinds >= 3 && entropy(value) >= 2.7 && !isWords(value);
}
