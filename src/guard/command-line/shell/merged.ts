// Several words as one, and what a call of a function or an alias stands for.
import { maybeSplit } from "./evaluated.ts";
import { hole, Origin, type Text, unknownText } from "../syntax/text.ts";

/** `$1`, `$@`, `$*`: a function has its own. */
export const argument = /^([1-9]\d*|[@*])$/;

/** An alias with the words that follow it, as far as they are known. */
export const aliased = (alias: string, rest: readonly Text[]): string =>
  [alias, ...rest.map(({ value }) => `'${value.replaceAll("'", "'\\''").replaceAll(hole, "x")}'`)].join(" ");

export function mergeAll(words: readonly Text[]): Text {
  const holes = words.some((word) => word.holes);
  const from = words.reduce((bits, word) => bits | word.from, holes ? Origin.program : 0);
  const safe = words.every(
    (word) =>
      (word.names || !word.holes) &&
      !word.value.startsWith("-") &&
      !word.value.startsWith("/") &&
      !word.value.includes("..") &&
      !/env|secret|\.ssh|\.pem|\.key/i.test(word.value),
  );
  const numeric = words.every((word) => (word.holes ? word.numeric : /^-?\d+$/.test(word.value)));
  const loose = words.some((word) => maybeSplit(word) || (word.glob && /^[*?[]/.test(word.value))) ? Origin.loose : 0;
  return unknownText(from | loose, { computed: holes, names: safe, numeric });
}

/** A piece of a name that the shell splits at its white space begins with whatever stands there. */
export const itemOf = (word: Text): Text => (maybeSplit(word) ? { ...word, from: word.from | Origin.loose } : word);
