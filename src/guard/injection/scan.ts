// Reads a text for instructions to the assistant that nobody in charge gave: openly, hidden, encoded or in other languages.
import { type Finding, type Layer, normalised } from "./characters.ts";
import { cipherLayers } from "./ciphers.ts";
import { asksForAct, asksUnseen } from "./concealed.ts";
import { hiddenRanges, leavingLinks, unescapedInPlace } from "./containers.ts";
import { holds } from "./concepts.ts";
import { decodedLayers } from "./encodings.ts";
import { ordersInOtherLanguage } from "./foreign.ts";
import { featuresOf, givesSignal, mainSignal, scoreOf, signalsOf, unpackWeights } from "./score.ts";
import { respelt } from "./misspelt.ts";
import { plantedTurns } from "./turns.ts";
import { type Range, type Sentence, sentencesOf } from "./sentences.ts";
import { weights as packed } from "./weights.ts";

export type { Finding } from "./characters.ts";

export interface Scan {
  verdict: "clean" | "suspicious" | "hostile";
  /** In the order of the text; positions are UTF-16 units of it. */
  findings: Finding[];
}

/** Scores of sentences, as learnt: from which on they are told, and from which on there is no innocent reading. */
const suspiciousFrom = 0.4;
const hostileFrom = 4;
/** Somebody went to lengths to hide it: much less is enough; less, too, where only no reader looks. */
/** Nobody misspells an order by hand so often as to be taken for one. */
const misspeltFrom = -0.6;
const encodedFrom = -3.8;
const unseenFrom = -1.2;
const mostFindings = 50;
const mostLayers = 120;
const deepest = 2;

const hiddenOrder = "hidden order";
/** Layers that are mostly the text around what was changed in them. */
const patched: ReadonlySet<string> = new Set(["joined strings", "split words", "styled letters", "look-alike letters"]);

let unpacked: Float32Array | undefined;
const weights = (): Float32Array => (unpacked ??= unpackWeights(packed));

/** Deterministic, and linear in the length of `text`. */
export function scanInjection(text: string): Scan {
  const reader = new Reader();
  reader.read(text);
  return reader.result();
}

/** Names of what was found, each once. */
export const ruleNames = ({ findings }: Scan): string[] => [...new Set(findings.map(({ rule }) => rule))];

class Reader {
  readonly #findings: Finding[] = [];
  #hostile = false;
  #layers = 0;

  read(text: string): void {
    const normal = normalised(text);
    const found = [...normal.found, ...leavingLinks(text)];
    const unseen: Range[] = [...hiddenRanges(normal.text), ...normal.concealed].sort(
      (left, right) => left[0] - right[0],
    );
    const sentences = sentencesOf(normal.text, unseen);
    for (const each of judged(normal.text, sentences, suspiciousFrom)) {
      this.#hostile ||= each.score >= hostileFrom;
      found.push({ rule: each.rule, start: normal.origin(each.from), end: normal.origin(each.to) });
    }
    for (const sentence of sentences) {
      const start = normal.origin(sentence.from);
      if (asksUnseen(sentence) && !found.some((each) => each.start === start))
        found.push({ rule: hiddenOrder, start, end: normal.origin(sentence.to) });
    }
    for (const turn of plantedTurns(normal.text))
      found.push({ rule: turn.rule, start: normal.origin(turn.start), end: normal.origin(turn.end) });
    for (const { from, to } of sentences) {
      const meant = respelt(normal.text.slice(from, to));
      if (meant === undefined) continue;
      const [worst] = judged(meant, sentencesOf(meant), misspeltFrom);
      if (worst) found.push({ rule: worst.rule, start: normal.origin(from), end: normal.origin(to) });
    }
    const layers = [
      ...normal.layers,
      ...moved(decodedLayers(unescapedInPlace(normal.text)), normal),
      ...moved(cipherLayers(normal.text, sentences), normal),
    ];
    for (const layer of layers) this.#judgeLayer(layer, 1, found);
    this.#findings.push(...found);
  }

  result(): Scan {
    const findings = this.#findings
      .sort((left, right) => left.start - right.start || left.end - right.end)
      .slice(0, mostFindings);
    return { verdict: this.#hostile ? "hostile" : findings.length > 0 ? "suspicious" : "clean", findings };
  }

  /** Text below the surface: told at its place in the original. */
  #judgeLayer(layer: Layer, depth: number, found: Finding[]): void {
    if (this.#layers >= mostLayers) return;
    this.#layers += 1;
    const sentences = sentencesOf(layer.text);
    const place = { start: layer.start, end: layer.end };
    const [worst] = judged(layer.text, sentences, encodedFrom).sort((left, right) => right.score - left.score);
    if (worst) {
      this.#hostile ||= worst.score >= suspiciousFrom;
      found.push({ rule: layer.rule, ...place }, { rule: worst.rule, ...place });
    } else if (!patched.has(layer.rule) && sentences.some(asksForAct))
      found.push({ rule: layer.rule, ...place }, { rule: hiddenOrder, ...place });
    if (depth >= deepest) return;
    for (const inner of [...decodedLayers(layer.text), ...cipherLayers(layer.text, sentences)])
      this.#judgeLayer({ ...inner, ...place }, depth + 1, found);
  }
}

const moved = (layers: readonly Layer[], { origin }: { origin(index: number): number }): Layer[] =>
  layers.map((layer) => ({ ...layer, start: origin(layer.start), end: origin(layer.end) }));

interface Judged {
  rule: string;
  score: number;
  from: number;
  to: number;
}

function judged(text: string, sentences: readonly Sentence[], least: number): Judged[] {
  const found: Judged[] = [];
  const given = signalsOf(text, sentences);
  sentences.forEach((speaks, index) => {
    const { from, to, foreign } = speaks;
    const signals = given[index];
    if (signals && givesSignal(signals)) {
      const score = scoreOf(weights(), featuresOf(sentences, given, index));
      const enough = holds(speaks, "hidden") ? Math.min(least, unseenFrom) : least;
      if (score >= enough) found.push({ rule: mainSignal(weights(), signals), score, from, to });
    }
    if (foreign > 0 && ordersInOtherLanguage(sentences, index))
      found.push({ rule: "orders in another language", score: suspiciousFrom, from, to });
  });
  return found;
}
