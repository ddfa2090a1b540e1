// What somebody took pains to hide needs no known wording to be told: that it asks for an act is enough.
import { type Bits, bitsOf, holds } from "./concepts.ts";
import type { Sentence } from "./sentences.ts";

const asks: Bits = bitsOf("imperative", "please", "must");
const heavy: Bits = bitsOf(
  ...(["send", "secret", "execute", "destroy", "grant", "money", "reveal", "persona", "stealth"] as const),
  ...(["obey", "rate", "override"] as const),
);
const light: Bits = bitsOf("fetch", "output", "tell", "memory", "switch", "marker");
/** Each of these together is what notes between developers and forms to fill in hardly ever say. */
const telling: readonly (readonly [Bits, Bits])[] = [
  [bitsOf("ai"), heavy],
  [bitsOf("stealth"), bitsOf("send", "execute", "destroy", "grant", "money", "reveal", "user", "tell")],
  [bitsOf("override"), bitsOf("instruction", "prompt", "safety")],
  [bitsOf("send", "reveal"), bitsOf("secret", "prompt", "money")],
  [bitsOf("money"), bitsOf("mail", "address", "amount")],
];

const shared = (sentence: Bits, bits: Bits): number =>
  count(sentence.low & bits.low) + count(sentence.high & bits.high);

function count(bits: number): number {
  let found = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) found += 1;
  return found;
}

const isProse = (sentence: Sentence): boolean =>
  sentence.words >= 4 && !sentence.strange && !holds(sentence, "codelike") && !holds(sentence, "question");

/** A sentence that stood encoded. */
export const asksForAct = (sentence: Sentence): boolean =>
  isProse(sentence) &&
  (shared(sentence, asks) > 0 || holds(sentence, "ai")) &&
  (shared(sentence, heavy) > 0 || shared(sentence, light) > 1);

/** A sentence that stands where only programs look, in plain letters. */
export const asksUnseen = (sentence: Sentence): boolean =>
  holds(sentence, "hidden") &&
  isProse(sentence) &&
  shared(sentence, asks) > 0 &&
  !holds(sentence, "if") &&
  !holds(sentence, "todo") &&
  !(holds(sentence, "secret") && (holds(sentence, "not") || holds(sentence, "destroy"))) &&
  telling.some(([one, other]) => shared(sentence, one) > 0 && shared(sentence, other) > 0);
