// Text as it was before a listing numbered its lines, a diff marked them, or a shell or JSON quoted it: a token that is
// glued to such a sign is still a token, and a key in armour is still one piece.

const dress = /^(?:[ \t]{0,8}\d{1,7}(?:\t|[:|→] ?)|[+-](?=[^+-]|-----[BE]))|'\\''|\\[nrt](?=\S)/gm;

export interface Undressed {
  text: string;
  /** Where a range of `text` stands in the original. */
  range(from: number, to: number): { from: number; to: number };
}

/** Undefined for a text that wears nothing of the kind. */
export function undressed(original: string): Undressed | undefined {
  const pieces: string[] = [];
  /** Of each piece, where it begins in the new text and in the original. */
  const starts: { here: number; there: number }[] = [];
  let length = 0;
  const add = (piece: string, there: number) => {
    if (piece === "") return;
    starts.push({ here: length, there });
    pieces.push(piece);
    length += piece.length;
  };
  let at = 0;
  for (const match of original.matchAll(dress)) {
    add(original.slice(at, match.index), at);
    at = match.index + match[0].length;
    if (match[0] === "'\\''") add("'", at - 1);
    else if (match[0].startsWith("\\")) add("\n", at - 1);
  }
  if (at === 0) return undefined;
  add(original.slice(at), at);
  const place = (index: number): number => {
    let low = 0;
    for (let high = starts.length - 1; low < high; ) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle]?.here ?? 0) <= index) low = middle;
      else high = middle - 1;
    }
    return index + (starts[low]?.there ?? 0) - (starts[low]?.here ?? 0);
  };
  return { text: pieces.join(""), range: (from, to) => ({ from: place(from), to: place(to - 1) + 1 }) };
}
