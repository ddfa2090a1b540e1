// Whether two answers say the same.
const longestCompared = 4_000;

export const wordsOf = (text: string): string[] =>
  text
    .slice(0, longestCompared)
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

/** Fewer words differ in their meaning by each of them. */
const fewest = 8;
const alike = 0.9;

export function nearlySame(left: readonly string[], right: readonly string[]): boolean {
  if (left.join(" ") === right.join(" ")) return true;
  if (Math.min(left.length, right.length) < fewest) return false;
  const one = pairs(left);
  const other = pairs(right);
  const common = [...one].filter((pair) => other.has(pair)).length;
  return common / (one.size + other.size - common) >= alike;
}

const pairs = (words: readonly string[]): Set<string> =>
  new Set(words.slice(1).map((word, index) => `${words[index]} ${word}`));
