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

/**
 * Adds what `bytes` hold to `into`: document plus `base`, packed counts, document … Bytes that are damaged give numbers
 * without meaning, and end all the same.
 */
export function readPostings(bytes: Uint8Array, base: number, into: number[]): void {
  const { length } = bytes;
  let at = 0;
  let document = base;
  let isCount = false;
  while (at < length) {
    let byte = bytes[at++] ?? 0;
    let value = byte & 127;
    for (let shift = 7; byte > 127 && shift < 35; shift += 7) {
      byte = bytes[at++] ?? 0;
      value |= (byte & 127) << shift;
    }
    if (isCount) into.push(document, value >>> 0);
    else document += value >>> 0;
    isCount = !isCount;
  }
  if (isCount) into.push(document, 0);
}
