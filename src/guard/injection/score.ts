// How much a sentence reads like an order to whoever reads the text for somebody else. Linear in its signals, their pairs
// with one another (its neighbours' count too) and with what the sentence speaks of.
import { type Bits, bitsOf, type Concept, concepts, numberOf } from "./concepts.ts";
import type { Sentence } from "./sentences.ts";
import { withoutInnocent } from "./innocent.ts";
import { plainly, signals, signalsIn } from "./signals.ts";

/** What signals mean depends on these. */
const settings: readonly Concept[] = [
  ...(["imperative", "codelike", "attack", "hidden", "marker", "ai", "you", "user", "question", "code"] as const),
  ...(["secret", "address", "mail", "stealth", "urgent", "loud"] as const),
];

const count = signals.length;
export const signalCount = count;
const most = 7;
const near = count;
const singles = near + count;
const amounts = singles + concepts.length;
const pairs = amounts + most + 1;
const within = pairs + count * count;
export const featureCount = within + count * settings.length + 1;
const bias = featureCount - 1;

/** Without one of these a sentence asks for nothing. */
const core: Bits = bitsOf(
  ...(["override", "send", "execute", "destroy", "grant", "money", "fetch", "output", "persona", "reveal"] as const),
  ...(["obey", "rate", "tell", "ai", "prompt", "memory", "stealth", "marker", "instruction", "imperative"] as const),
  ...(["task", "switch", "authority"] as const),
);
/** What is of one thing only says too little; most sentences of code are. */
const asks = (sentence: Bits): boolean =>
  ((sentence.low & core.low) | (sentence.high & core.high)) !== 0 && severalBits(sentence);

const severalBits = ({ low, high }: Bits): boolean =>
  low !== 0 && high !== 0 ? true : (low & (low - 1)) !== 0 || (high & (high - 1)) !== 0;

/** Numbers of the bits that are set. */
function unpack({ low, high }: Bits): number[] {
  const found: number[] = [];
  for (let rest = low; rest !== 0; rest &= rest - 1) found.push(31 - Math.clz32(rest & -rest));
  for (let rest = high; rest !== 0; rest &= rest - 1) found.push(62 - Math.clz32(rest & -rest));
  return found;
}

const settingBits = settings.map((concept) => ({ at: numberOf(concept), ...bitsOf(concept) }));
const nothing: Bits = { low: 0, high: 0 };

/** The signals of every sentence; those that ask for nothing give none. */
export const signalsOf = (text: string, sentences: readonly Sentence[]): Bits[] =>
  sentences.map((sentence) =>
    asks(sentence) ? signalsOfSentence(text.slice(sentence.from, sentence.to), sentence) : nothing,
  );

function signalsOfSentence(text: string, sentence: Sentence): Bits {
  const given = signalsIn(text, sentence);
  return givesSignal(given) ? withoutInnocent(given, plainly(text)) : given;
}

export const givesSignal = ({ low, high }: Bits): boolean => (low | high) !== 0;

/** The numbers of the features of sentence `index`. */
export function featuresOf(sentences: readonly Sentence[], given: readonly Bits[], index: number): number[] {
  const speaks = sentences[index] ?? nothing;
  const own = given[index] ?? nothing;
  const before = given[index - 1] ?? nothing;
  const after = given[index + 1] ?? nothing;
  const here = unpack(own);
  const around = unpack({
    low: (before.low | after.low) & ~own.low,
    high: (before.high | after.high) & ~own.high,
  });
  const features = [bias, ...around.map((signal) => near + signal), ...here];
  for (const concept of unpack(speaks)) features.push(singles + concept);
  features.push(amounts + Math.min(most, here.length + around.length));
  here.forEach((first, position) => {
    for (let other = position + 1; other < here.length; other += 1)
      features.push(pairs + first * count + (here[other] ?? 0));
    for (const second of around) features.push(pairs + Math.min(first, second) * count + Math.max(first, second));
    settingBits.forEach((setting, at) => {
      if (((speaks.low & setting.low) | (speaks.high & setting.high)) !== 0)
        features.push(within + first * settings.length + at);
    });
  });
  return features;
}

export function scoreOf(weights: Float32Array, features: readonly number[]): number {
  let sum = 0;
  for (const feature of features) sum += weights[feature] ?? 0;
  return sum;
}

/** The name of the signal that weighs most. */
export function mainSignal(weights: Float32Array, given: Bits): string {
  const heaviest = unpack(given).reduce((best, each) => ((weights[each] ?? 0) > (weights[best] ?? 0) ? each : best));
  return signals[heaviest]?.title ?? "";
}

/** Names for people, and for a diff when it is learnt anew. */
export function featureName(feature: number): string {
  const signal = (at: number) => signals[at]?.name ?? "";
  if (feature === bias) return "bias";
  if (feature < near) return signal(feature);
  if (feature < singles) return `~${signal(feature - near)}`;
  if (feature < amounts) return `:${concepts[feature - singles]}`;
  if (feature < pairs) return `#${feature - amounts}`;
  if (feature < within) {
    const at = feature - pairs;
    return `${signal(Math.floor(at / count))}+${signal(at % count)}`;
  }
  const at = feature - within;
  return `${signal(Math.floor(at / settings.length))}:${settings[at % settings.length]}`;
}

/** Weights as scripts/train-injection.mjs writes them: names and hundredths. */
export function unpackWeights(text: string): Float32Array {
  const weights = new Float32Array(featureCount);
  const numbers = new Map(Array.from({ length: featureCount }, (_, feature) => [featureName(feature), feature]));
  for (const [, name = "", value = ""] of text.matchAll(/(\S+) (-?[\d.]+)/g)) {
    const feature = numbers.get(name);
    if (feature === undefined) throw new Error(`no feature ${name}`);
    weights[feature] = Number(value);
  }
  return weights;
}
