// In which documents a word stands and how often, as bytes: the step to the next document, then how often in each field.

/** How often a word stands in the code, the comments and the defined names of one document; larger counts are cut. */
export interface Counts {
  code: number;
  comment: number;
  name: number;
}

export const mostCounts: Counts = { code: 31, comment: 15, name: 3 };

export const packCounts = ({ code, comment, name }: Counts): number =>
  Math.min(code, mostCounts.code) |
  (Math.min(comment, mostCounts.comment) << 5) |
  (Math.min(name, mostCounts.name) << 9);

export const codeOf = (packed: number): number => packed & 31;
export const commentOf = (packed: number): number => (packed >> 5) & 15;
export const nameOf = (packed: number): number => packed >> 9;

/** `pairs`: document, packed counts, document … in rising order of the documents. */
export function encodePostings(pairs: readonly number[], into: number[] = []): number[] {
  let before = 0;
  for (let at = 0; at < pairs.length; at += 2) {
    const document = pairs[at] ?? 0;
    putNumber(into, document - before);
    putNumber(into, pairs[at + 1] ?? 0);
    before = document;
  }
  return into;
}

function putNumber(into: number[], value: number): void {
  let rest = value;
  while (rest > 127) {
    into.push((rest & 127) | 128);
    rest >>>= 7;
  }
  into.push(rest);
}

/** Bytes that are damaged give numbers without meaning, and end all the same. */
export function eachPosting(bytes: Uint8Array, each: (document: number, packed: number) => void): void {
  let at = 0;
  let document = 0;
  const next = (): number => {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = bytes[at++] ?? 0;
      value |= (byte & 127) << shift;
      if (byte < 128) break;
    }
    return value >>> 0;
  };
  while (at < bytes.length) {
    document += next();
    each(document, next());
  }
}
