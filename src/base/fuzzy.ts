// Which of many names a person means who types some of their letters in order.

/** Larger is nearer; undefined: the letters are not all there, in this order. Letters at the beginning of a word count most. */
export function fuzzyScore(query: string, text: string): number | undefined {
  const wanted = query.toLowerCase();
  const given = text.toLowerCase();
  const whole = given.indexOf(wanted);
  // Letters that stand together are what people mostly type.
  if (whole !== -1) return 1_000 + (isWordStart(text, whole) ? 500 : 0) - whole - text.length / 100;
  let score = 0;
  let from = 0;
  let before = -2;
  for (const letter of wanted) {
    const at = given.indexOf(letter, from);
    if (at === -1) return undefined;
    score += at === before + 1 ? 8 : isWordStart(text, at) ? 10 : 1;
    before = at;
    from = at + letter.length;
  }
  return score - text.length / 100;
}

const isWordStart = (text: string, at: number): boolean =>
  at === 0 ||
  /[\s\-_./:@]/.test(text[at - 1] ?? "") ||
  (/[a-z]/.test(text[at - 1] ?? "") && /[A-Z]/.test(text[at] ?? ""));

/** The nearest first, at most `most`; without a query the first ones as they stand. */
export function nearest<T>(items: readonly T[], query: string, nameOf: (item: T) => string, most: number): T[] {
  if (query === "") return items.slice(0, most);
  const found: { item: T; score: number }[] = [];
  for (const item of items) {
    const score = fuzzyScore(query, nameOf(item));
    if (score !== undefined) found.push({ item, score });
  }
  return found
    .toSorted((a, b) => b.score - a.score)
    .slice(0, most)
    .map(({ item }) => item);
}
