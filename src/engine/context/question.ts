// What somebody wants to find again, in their own words: names, paths and sentences, without the words that say nothing.
import { splitName, type Term } from "../../io/store/word-index.ts";

export interface Question {
  /** For the index. */
  terms: Term[];
  /** As they stand in a text, folded. */
  words: string[];
}

const mostWords = 12;
/** The end of a path or a name: more of it would be compared at every place where it may begin. */
const longestPhrase = 8;

/** English and German: what holds only these is no answer to a question. */
const empty = new Set(
  (
    "a an and are as at be been but by did do does for from had has have how i if in into is it its me my not of on or our " +
    "said say she so that the their them then there these they this to us was we were what when where which who why will " +
    "with would you your about any all can could der die das den dem des ein eine einer eines einem einen und oder ist " +
    "sind war waren wird werden wurde hat haben habe ich du er sie es wir ihr mein dein sein nicht kein keine was wer wie " +
    "wo wann warum welche welcher welches mit von zu zum zur im in auf aus bei nach über für dass als auch noch nur"
  ).split(" "),
);

export const folded = (text: string): string => text.normalize("NFKC").toLowerCase();

const wordsIn = (text: string): string[] => folded(text).match(/[\p{L}\p{N}]+/gu) ?? [];

export function questionOf(text: string): Question {
  const all = [...new Set(wordsIn(text))];
  const telling = all.filter((word) => !empty.has(word));
  const words = (telling.length > 0 ? telling : all).slice(0, mostWords);
  // A path or a name is more than its words: together they are another term.
  const names = text.split(/\s+/u).flatMap((name) => [wordsIn(name).join(" "), wordsIn(splitName(name)).join(" ")]);
  const chunks = [...new Set(names)].filter((name) => name.includes(" ")).slice(0, mostWords);
  const phrases = chunks.map((name): Term => ({ words: name.split(" ").slice(-longestPhrase), open: true }));
  return { words, terms: [...phrases, ...words.map((word): Term => ({ words: [word], open: word.length > 2 }))] };
}
