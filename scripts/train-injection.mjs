// Learns the weights of src/guard/injection from honest texts and planted instructions; the same input gives the same file.
// Use: sh scripts/run.sh scripts/train-injection.mjs HONEST.jsonl [learn] > src/guard/injection/weights.ts
// HONEST.jsonl: {"group":…,"text":…} a line; a hash of the group splits it, as it splits the planted families.
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { hiddenRanges } from "../src/guard/injection/containers.ts";
import {
  featureCount,
  featureName,
  featuresOf,
  givesSignal,
  signalCount,
  signalsOf,
} from "../src/guard/injection/score.ts";
import { sentencesOf } from "../src/guard/injection/sentences.ts";
import { composedSamples, hiddenOpenly, honestSamples, isOf, openSamples } from "../test/guard/injection/planted.ts";

/** `learn` leaves the rest of the tuning half for checks; the weights that ship come from all of it. */
const part = process.argv[3] ?? "tune";
const epochs = 6;
const rounds = 4;
const rate = 0.25;
const lasso = 0.9;
const ridge = 0.005;
const positiveShare = 0.25;
/** Part of a planted sentence's features that is left out at each look, so that no single one carries it. */
const dropped = 0.3;

/** The sentences of a text that give a signal, with their features. */
function prepare(text) {
  const sentences = sentencesOf(text, hiddenRanges(text));
  const given = signalsOf(text, sentences);
  return sentences.flatMap(({ from, to }, index) =>
    givesSignal(given[index]) ? [{ from, to, features: featuresOf(sentences, given, index) }] : [],
  );
}

const honest = new Map();
let documents = 0;
/** In how many honest documents each signal stands. */
const seenIn = new Float64Array(signalCount);
const addHonest = (text) => {
  const sentences = prepare(text);
  documents += 1;
  const given = new Set(sentences.flatMap(({ features }) => features.filter((feature) => feature < signalCount)));
  for (const signal of given) seenIn[signal] += 1;
  for (const { features } of sentences) {
    const name = features.join();
    const known = honest.get(name);
    if (known) known.count += 1;
    else honest.set(name, { features, count: 1 });
  }
};

/** Surroundings for planted texts. */
const shortDocuments = [];
for await (const line of createInterface({ input: createReadStream(process.argv[2]) })) {
  const { group, text } = JSON.parse(line);
  if (!isOf(group, part)) continue;
  addHonest(text);
  if (text.length < 6000) shortDocuments.push(text);
}
for (const { text } of honestSamples({ half: part, count: 600, seed: 11 })) addHonest(text);

const wish = { half: part, seed: 5 };
const samples = [
  ...openSamples({ ...wish, count: 5000 }),
  ...composedSamples({ ...wish, count: 9000 }),
  ...hiddenOpenly({ ...wish, count: 1500 }),
];

/** Among the lines of an honest text: what stands around an order must not tell it. */
function inDocument(planted, number) {
  const lines = shortDocuments[(number * 7919) % shortDocuments.length].split("\n");
  const before = lines.slice(0, (number * 104729) % lines.length).join("\n");
  return {
    planted,
    at: before.length + 1,
    text: `${before}\n${planted}\n${lines.slice((number * 104729) % lines.length).join("\n")}`,
  };
}

const bags = [];
samples.forEach((sample, number) => {
  const { text, planted, at } = number % 3 === 0 ? sample : inDocument(sample.planted, number);
  const end = at + planted.length + 4;
  const bag = prepare(text)
    .filter(({ from, to }) => from < end && to > at)
    .map(({ features }) => features);
  if (bag.length > 0) bags.push(bag);
});
process.stderr.write(`${honest.size} honest kinds of sentences, ${bags.length} of ${samples.length} planted texts\n`);

/** Before anything is learnt, a signal weighs what its rarity in honest documents says; data pulls it away as far as it must. */
const rarity = (signal) => Math.max(0.3, Math.min(5.2, Math.log(0.06 / (seenIn[signal] / documents + 0.0003))));
const settingsExpected = { imperative: 0.5, marker: 1, hidden: 1, codelike: -1, attack: -1, question: -0.5 };
function expectedWeight(feature) {
  const name = featureName(feature);
  if (name === "bias") return -6;
  if (feature < signalCount) return rarity(feature);
  if (feature < 2 * signalCount) return rarity(feature - signalCount) / 2;
  return name.includes(":") && !name.startsWith(":") ? (settingsExpected[name.split(":")[1]] ?? 0) : 0;
}
const prior = Float64Array.from({ length: featureCount }, (_, feature) => expectedWeight(feature));

let seed = 1;
const random = () => {
  seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
  return seed / 4294967296;
};
const weights = Float64Array.from(prior);
const squares = new Float64Array(featureCount).fill(1);
const scoreOf = (features) => features.reduce((sum, feature) => sum + weights[feature], 0);
const negatives = [...honest.values()].map(({ features, count }) => ({
  features,
  label: 0,
  weight: 1 + Math.log(count),
}));
const total = negatives.reduce((sum, { weight }) => sum + weight, 0);

function learn(items) {
  for (let epoch = 0; epoch < epochs; epoch += 1) {
    for (let at = items.length - 1; at > 0; at -= 1) {
      const other = Math.floor(random() * (at + 1));
      [items[at], items[other]] = [items[other], items[at]];
    }
    for (const { features, label, weight } of items) {
      const seen = label === 1 ? features.filter(() => random() >= dropped) : features;
      const error = (1 / (1 + Math.exp(-scoreOf(seen))) - label) * weight;
      for (const feature of seen) {
        const step = error + ridge * (weights[feature] - prior[feature]);
        squares[feature] += step * step;
        weights[feature] -= (rate * step) / Math.sqrt(squares[feature]);
      }
    }
    const shrink = lasso / epochs;
    for (let feature = 0; feature < featureCount - 1; feature += 1) {
      const pull = (shrink * rate * 3) / Math.sqrt(squares[feature]);
      const moved = weights[feature] - prior[feature];
      weights[feature] = prior[feature] + Math.sign(moved) * Math.max(0, Math.abs(moved) - pull);
    }
  }
}

for (let round = 0; round < rounds; round += 1) {
  const chosen =
    round === 0
      ? bags.flat()
      : bags.map((bag) => bag.reduce((best, each) => (scoreOf(each) > scoreOf(best) ? each : best)));
  const weight = (total * positiveShare) / chosen.length;
  const positives = chosen.map((features) => ({ features, label: 1, weight }));
  learn([...negatives, ...positives]);
  process.stderr.write(`round ${round}: ${weights.filter((each) => Math.abs(each) >= 0.05).length} weights\n`);
}

const kept = [...weights.keys()].filter((feature) => Math.abs(weights[feature]) >= 0.05);
const rows = kept.map((feature) => `${featureName(feature)} ${weights[feature].toFixed(2)}`);
const lines = [""];
for (const row of rows) {
  const last = lines.length - 1;
  if (lines[last].length + row.length > 112) lines.push(row);
  else lines[last] += `${lines[last] === "" ? "" : ", "}${row}`;
}
process.stdout.write(`// Made by scripts/train-injection.mjs from ${honest.size} kinds of honest sentences and ${bags.length} planted texts; do not edit.
export const weights = \`
${lines.join("\n")}
\`;
`);
