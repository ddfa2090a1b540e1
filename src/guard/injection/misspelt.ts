// Words by which orders are overridden, misspelt: read as they are meant, and only where the sentence then gives an order.
import { entryFor } from "./words.ts";

const meant =
  "ignore ignoring disregard disregarding forget override bypass previous prior earlier above preceding instruction instructions prompt prompts directions directives guidelines everything before system reveal hidden password".split(
    " ",
  );
/** Hardly a word without the sentence having one of these. */
const orders: ReadonlySet<string> = new Set([
  "ignore",
  "ignoring",
  "disregard",
  "disregarding",
  "forget",
  "override",
  "bypass",
]);
const shortest = 5;
const longest = 16;
/** Twice wrong is still known from so many letters on. */
const longEnough = 8;

function without(word: string, times: number): Set<string> {
  let found = new Set([word]);
  for (let round = 0; round < times; round += 1)
    found = new Set([
      ...found,
      ...[...found].flatMap((each) => [...each].map((_, at) => each.slice(0, at) + each.slice(at + 1))),
    ]);
  return found;
}

const slips = (word: string): number => (word.length >= longEnough ? 2 : 1);
/** As texters write: the first letter and the consonants. */
const bones = (word: string): string => word.slice(0, 1) + word.slice(1).replace(/[aeiou]/g, "");

let index: Map<string, string> | undefined;
let skeletons: Map<string, string> | undefined;

function build(): Map<string, string> {
  const made = new Map<string, string>();
  skeletons = new Map(meant.filter((word) => bones(word).length >= 4).map((word) => [bones(word), word]));
  for (const word of meant) for (const form of without(word, slips(word))) if (form.length >= 4) made.set(form, word);
  return made;
}

function meantBy(word: string): string | undefined {
  if (word.length > longest || entryFor(word)) return undefined;
  index ??= build();
  const skeleton = skeletons?.get(word);
  if (skeleton !== undefined) return skeleton;
  if (word.length < shortest) return undefined;
  for (const form of without(word, slips(word))) {
    const found = index.get(form);
    if (found !== undefined && Math.abs(found.length - word.length) <= 2) return found;
  }
  return undefined;
}

/** The sentence with such words as they are meant; undefined when none is misspelt or none of them overrides. */
export function respelt(sentence: string): string | undefined {
  let changed = false;
  let overrides = false;
  const text = sentence.replace(/[A-Za-z]{4,}/g, (word) => {
    const lower = word.toLowerCase();
    const found = meantBy(lower);
    overrides ||= orders.has(found ?? lower);
    if (found === undefined) return word;
    changed = true;
    return found;
  });
  return changed && overrides ? text : undefined;
}
