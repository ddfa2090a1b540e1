// What a sentence may speak of. The scorer sees these and nothing else of its words, so it cannot learn a text by heart.

/** At most 62: two words of 31 bits hold a sentence's set. The order is that of the weights. */
export const concepts = [
  "override",
  "prior",
  "instruction",
  "task",
  "ai",
  "you",
  "user",
  "stealth",
  "tell",
  "not",
  "send",
  "secret",
  "data",
  "execute",
  "tool",
  "destroy",
  "grant",
  "money",
  "fetch",
  "urgent",
  "authority",
  "switch",
  "output",
  "persona",
  "reveal",
  "please",
  "must",
  "mine",
  "obey",
  "safety",
  "attack",
  "rate",
  "read",
  "document",
  "memory",
  "if",
  "todo",
  "home",
  "confirm",
  "stakes",
  "identity",
  "prompt",
  "imperative",
  "capitals",
  "address",
  "mail",
  "path",
  "amount",
  "code",
  "marker",
  "hidden",
  "loud",
  "question",
  "codelike",
] as const;
export type Concept = (typeof concepts)[number];

const numbers = new Map(concepts.map((concept, at) => [concept, at]));
export const numberOf = (concept: Concept): number => numbers.get(concept) ?? 0;

/** A set of concepts: the low 31 and the high 31. */
export interface Bits {
  low: number;
  high: number;
}

export const bitsOf = (...some: readonly Concept[]): Bits => {
  const bits = { low: 0, high: 0 };
  for (const concept of some) {
    const at = numberOf(concept);
    if (at < 31) bits.low |= 1 << at;
    else bits.high |= 1 << (at - 31);
  }
  return bits;
};

export const holds = (bits: Bits, concept: Concept): boolean => {
  const at = numberOf(concept);
  return at < 31 ? (bits.low & (1 << at)) !== 0 : (bits.high & (1 << (at - 31))) !== 0;
};
