// Orders in other languages: what a sentence and its neighbours speak of together, as points. There is too little honest
// text of each language at hand to learn weights from.
import { type Bits, bitsOf, type Concept } from "./concepts.ts";
import type { Sentence } from "./sentences.ts";

interface Point {
  all: Bits;
  any: Bits;
  worth: number;
}

const point = (worth: number, all: readonly Concept[], any: readonly Concept[] = []): Point => ({
  worth,
  all: bitsOf(...all),
  any: bitsOf(...any),
});

const points: readonly Point[] = [
  point(3, ["override", "instruction"]),
  point(2, ["override", "instruction"], ["prior", "you"]),
  point(2, ["override", "prior"]),
  point(3, ["override", "prior", "output"]),
  point(2, ["not", "tell", "user"]),
  point(3, ["ai"], ["send", "destroy", "execute", "money", "reveal", "prompt", "secret"]),
  point(2, ["ai", "todo"]),
  point(2, ["send", "secret"]),
  point(2, ["send"], ["mail", "address"]),
  point(3, ["switch", "output", "user"]),
  point(3, ["prompt", "output"]),
  point(3, ["persona"], ["you"]),
  point(2, ["execute", "tool"], ["address", "code"]),
  point(2, ["destroy", "data"], ["prior", "mail"]),
  point(2, ["money"], ["amount", "mail"]),
  point(1, ["urgent"], ["loud", "capitals", "imperative"]),
];

const enough = 5;
const fewestWords = 3;

/** True when sentence `index` and those beside it order something in another language than English. */
export function ordersInOtherLanguage(sentences: readonly Sentence[], index: number): boolean {
  const here = sentences[index];
  if (!here || here.foreign < fewestWords) return false;
  const beside = [sentences[index - 1], sentences[index + 1]].filter((each) => each !== undefined && each.foreign > 0);
  const bits = beside.reduce((sum, each) => ({ low: sum.low | (each?.low ?? 0), high: sum.high | (each?.high ?? 0) }), {
    low: here.low,
    high: here.high,
  });
  return points.reduce((sum, each) => sum + (fits(each, bits) ? each.worth : 0), 0) >= enough;
}

function fits({ all, any }: Point, bits: Bits): boolean {
  if ((all.low & bits.low) !== all.low || (all.high & bits.high) !== all.high) return false;
  return (any.low | any.high) === 0 || ((any.low & bits.low) | (any.high & bits.high)) !== 0;
}
