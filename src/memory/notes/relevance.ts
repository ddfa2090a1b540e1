// Which notes a prompt is about, which ones say the same thing otherwise, and which sentences of a prompt are corrections.
import { wordsOf } from "../../base/code-words.ts";
import type { Note } from "./notes.ts";

/** Bytes of notes that go along without being chosen, and of those that are chosen. */
const roomForAll = 1_200;

/** Say nothing about what a sentence is about. */
const common = new Set(
  wordsOf(
    "a an and any are as at be been but by can could do does for from has have i if in into is it its of on only or our please " +
      "should so than that the their then there these they this to use used using want was we were when which will with would " +
      "you your here always never not no don't dont must instead rather stop avoid without " +
      "der die das den dem ein eine einen und oder ist sind bitte nicht kein keine keinen nie niemals immer statt ohne auf mit für " +
      "von zu im in am wir du ich",
  ),
);
const negation = /\b(?:no|not|never|don['’]?t|do not|without|avoid|stop|nicht|keine?[nrms]?|nie|niemals|ohne)\b/i;

const subject = (text: string): Set<string> => new Set(wordsOf(text).filter((word) => !common.has(word)));

/** Share of the smaller set that both hold; 0 where one says next to nothing. */
function overlap(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const least = Math.min(one.size, other.size);
  if (least === 0) return 0;
  return [...one].filter((word) => other.has(word)).length / least;
}

const sizeOf = (notes: readonly Note[]): number => notes.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);

/** All of them where they are few; else those that share telling words with the prompt, the likeliest first, within the same room. */
export function relevantNotes<N extends Note>(notes: readonly N[], prompt: string): N[] {
  if (sizeOf(notes) <= roomForAll) return [...notes];
  const subjects = notes.map(({ text }) => subject(text));
  const asked = subject(prompt);
  const rarity = (word: string) => Math.log(1 + notes.length / subjects.filter((words) => words.has(word)).length);
  const scored = notes.map((note, at) => {
    const words = [...(subjects[at] ?? [])];
    const shared = words.filter((word) => asked.has(word)).reduce((sum, word) => sum + rarity(word), 0);
    return { note, score: shared / Math.sqrt(words.length || 1) };
  });
  const chosen: N[] = [];
  for (const { note, score } of scored.toSorted((left, right) => right.score - left.score)) {
    if (score === 0) break;
    if (sizeOf([...chosen, note]) <= roomForAll) chosen.push(note);
  }
  return notes.filter((note) => chosen.includes(note));
}

/** Notes about the same thing; `against`: one of the two forbids what the other one says. */
export function alike<N extends Note>(notes: readonly N[], text: string): (N & { against: boolean })[] {
  const words = subject(text);
  return notes
    .filter((note) => noteAlike(words, subject(note.text)))
    .map((note) => ({ ...note, against: negation.test(note.text) !== negation.test(text) }));
}

const noteAlike = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  overlap(one, other) >= 0.6 && (Math.min(one.size, other.size) > 1 || (one.size === 1 && other.size === 1));

const correction =
  /\b(?:don['’]?t|do not|never|always|no|not|instead of|rather than|stop|avoid|without|must|only|nicht|keine?[nrms]?|nie|niemals|immer|statt|ohne|bitte)\b/i;
const mostSentences = 20;

/** Sentences that say how things are to be done, not what is to be done now: short, and with a word that forbids or demands. */
export function corrections(prompt: string): string[] {
  const sentences = prompt.split(/(?<=[.!?])\s+|[\n;]+/).map((each) => each.replace(/\s+/g, " ").trim());
  return sentences
    .filter((each) => !each.endsWith("?") && each.length <= 160 && correction.test(each) && subject(each).size > 0)
    .slice(0, mostSentences);
}

/** Whether two sentences ask for the same: their telling words are the same, but for one in four. */
export function sameDemand(one: string, other: string): boolean {
  const [left, right] = [subject(one), subject(other)];
  const shared = [...left].filter((word) => right.has(word)).length;
  const all = left.size + right.size - shared;
  return shared > 0 && shared / all >= 0.75 && negation.test(one) === negation.test(other);
}
