// The names that may have been meant by another: what fingers, ears and eyes make of a name, taken back.

/** A name, and where it parts from the one it may have been meant by. */
type Meant = readonly [name: string, at: number];

interface Slip {
  meant(name: string): Iterable<Meant>;
  /**
   * Letters that the name meant has at least, of the well-known ones and of all that are known: below it honest names
   * differ so, too (measured on the names of `assets/packages`, docs/guide/packages.md).
   */
  popular: number;
  known: number;
}

const letters = "abcdefghijklmnopqrstuvwxyz";
const vowels = "aeiouy";
const rows = ["qwertyuiop", "asdfghjkl", "zxcvbnm"];

const beside: ReadonlyMap<string, readonly string[]> = new Map(
  [...letters].map((letter) => [letter, [...letters].filter((other) => other !== letter && isBeside(letter, other))]),
);

function isBeside(left: string, right: string): boolean {
  const row = rows.findIndex((keys) => keys.includes(left));
  const other = rows.findIndex((keys) => keys.includes(right));
  if (Math.abs(row - other) > 1) return false;
  return Math.abs((rows[row] ?? "").indexOf(left) - (rows[other] ?? "").indexOf(right)) <= 1;
}

const put = (name: string, at: number, length: number, text: string): Meant => [
  name.slice(0, at) + text + name.slice(at + length),
  at,
];

function* transposed(name: string): Generator<Meant> {
  for (let at = 0; at + 1 < name.length; at++) {
    const [left = "", right = ""] = [name[at], name[at + 1]];
    if (left !== right && /[a-z]{2}/.test(left + right)) yield put(name, at, 2, right + left);
  }
}

function* doubled(name: string): Generator<Meant> {
  for (let at = 0; at < name.length; at++) {
    if (name[at] === name[at + 1]) yield put(name, at, 1, "");
    else if (/[a-z]/.test(name[at] ?? "")) yield put(name, at, 0, name[at] ?? "");
  }
}

/** One of the letters of a group in the place of another of it. */
const exchanged = (group: string) =>
  function* exchangedOf(name: string): Generator<Meant> {
    for (let at = 0; at < name.length; at++)
      if (group.includes(name[at] ?? " "))
        for (const other of group) if (other !== name[at]) yield put(name, at, 1, other);
  };

/** Two vowels that stand apart, each in the place of the other: `parcal` and `porcel`. */
function* vowelsSwapped(name: string): Generator<Meant> {
  const places = [...name.matchAll(/[aeiouy]/g)].map(({ index }) => index);
  for (const [index, at] of places.entries()) {
    const next = places[index + 1];
    if (next === undefined || next === at + 1 || name[next] === name[at]) continue;
    yield [put(put(name, at, 1, name[next] ?? "")[0], next, 1, name[at] ?? "")[0], at];
  }
}

const drawn: Readonly<Record<string, readonly string[]>> = {
  "0": ["o"],
  "1": ["l", "i"],
  "3": ["e"],
  "4": ["a"],
  "5": ["s"],
  "7": ["t"],
};

function* digits(name: string): Generator<Meant> {
  for (let at = 0; at < name.length; at++)
    for (const letter of drawn[name[at] ?? ""] ?? []) yield put(name, at, 1, letter);
  if (/[013457].*[013457]/.test(name))
    for (const one of "li")
      yield [name.replace(/[013457]/g, (digit) => (digit === "1" ? one : (drawn[digit]?.[0] ?? ""))), 0];
}

function* leftOut(name: string): Generator<Meant> {
  for (let at = 1; at < name.length; at++) for (const letter of letters) yield put(name, at, 0, letter);
}

function* tooMany(name: string): Generator<Meant> {
  for (let at = 1; at + 1 < name.length; at++) if (/[a-z]/.test(name[at] ?? "")) yield put(name, at, 1, "");
}

function* otherKey(name: string): Generator<Meant> {
  for (let at = 0; at < name.length; at++)
    for (const letter of beside.get(name[at] ?? "") ?? []) yield put(name, at, 1, letter);
}

function* numbered(name: string): Generator<Meant> {
  const bare = /^(.*[a-z])\d$/.exec(name)?.[1];
  if (bare !== undefined) yield [bare, 0];
}

const never = Number.POSITIVE_INFINITY;

const slips: readonly Slip[] = [
  { meant: transposed, popular: 4, known: 6 },
  { meant: doubled, popular: 5, known: 6 },
  { meant: digits, popular: 4, known: 5 },
  { meant: exchanged("sz"), popular: 4, known: 5 },
  { meant: exchanged("ck"), popular: 5, known: 6 },
  { meant: exchanged(vowels), popular: 6, known: 7 },
  { meant: vowelsSwapped, popular: 5, known: 6 },
  { meant: leftOut, popular: 6, known: 8 },
  { meant: tooMany, popular: 7, known: 9 },
  { meant: otherKey, popular: 7, known: 9 },
  { meant: numbered, popular: 5, known: never },
];

/** Letters of the word that differs: `tap` and `tape`, `jest` and `just` are two words. */
const shortestWord = { popular: 4, known: 5 };

function wordLength(name: string, at: number): number {
  let from = Math.min(at, name.length - 1);
  let to = from;
  while (from > 0 && /[a-z0-9]/.test(name[from - 1] ?? "")) from--;
  while (to < name.length && /[a-z0-9]/.test(name[to] ?? "")) to++;
  return to - from;
}

/** Longer names are hardly ever much used, and take long to go through. */
const longest = 40;

/** The first known name that may have been meant by `name`. */
export function meantBy(name: string, tierOf: (near: string) => "popular" | "known" | undefined): string | undefined {
  if (name.length > longest) return undefined;
  for (const slip of slips)
    if (name.length + 1 >= slip.popular)
      for (const [near, at] of slip.meant(name)) {
        const tier = tierOf(near);
        if (tier && near !== name && near.length >= slip[tier] && wordLength(near, at) >= shortestWord[tier])
          return near;
      }
  return undefined;
}
