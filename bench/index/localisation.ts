// npm run bench -- localisation: how often the index finds the file that a sentence of a changelog is about, beside simpler
// ways. Packages of an even place in the alphabet were used to fit the weights (`--fit`), the others are held back.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { wordsOf } from "../../src/base/code-words.ts";
import { createFirewall } from "../../src/guard/firewall/firewall.ts";
import { CodeIndex } from "../../src/memory/index/code-index.ts";
import { readQuestion } from "../../src/memory/index/question.ts";
import { type Weights, weights } from "../../src/memory/index/weights.ts";
import { type Case, casesIn, commitCases } from "./cases.ts";
import { interval, measured, rankOf } from "./measures.ts";

const most = 20;
const firewall = createFirewall(new Uint8Array(32));

/** Words of code and paths in one field, nothing else. */
const plain: Weights = {
  ...{ k: 1.2, length: 0.75, code: 1, comment: 1, name: 0, path: 1, file: 1, defines: 0, mentioned: 0, history: 0 },
  ...{ recent: 0, imported: 0, bridge: 0, test: 1, document: 1, generated: 1 },
};

type Way = (question: string) => Promise<string[]>;

async function opened(root: string): Promise<CodeIndex> {
  const index = new CodeIndex({
    ...{ root, file: ":memory:", hidden: () => false },
    redact: (text) => firewall.redact(text).text,
  });
  await index.update();
  return index;
}

const byIndex =
  (index: CodeIndex, using: Weights): Way =>
  async (question) =>
    (await index.ask(question, { most, symbolsOf: 0, weights: using })).files.map((file) => file.path);

/** As somebody who searches the folder for each word: files that hold most of them, then those that hold them most often. */
function byWords(root: string): Way {
  const names = readdirSync(root, { recursive: true, encoding: "utf8" });
  const files = names.filter((name) => statSync(path.join(root, name)).isFile() && !name.includes("node_modules"));
  const texts = files.map((name) => readFileSync(path.join(root, name), "utf8").toLowerCase());
  return async (question) => {
    const words = [...readQuestion(question).words.keys()].filter((word) => wordsOf(word).length > 0);
    const found = texts.map((text, at) => {
      const counts = words.map((word) => text.split(word).length - 1);
      return { file: files[at] ?? "", words: counts.filter(Boolean).length, all: counts.reduce((a, b) => a + b, 0) };
    });
    const best = found.filter((each) => each.words > 0).toSorted((a, b) => b.words - a.words || b.all - a.all);
    return best.slice(0, most).map(({ file }) => file);
  };
}

interface Opened {
  cases: Case[];
  index: CodeIndex;
  words: Way;
}

async function open(cases: readonly Case[]): Promise<Opened[]> {
  const roots = [...new Set(cases.map(({ root }) => root))];
  const all: Opened[] = [];
  for (const root of roots)
    all.push({ cases: cases.filter((each) => each.root === root), index: await opened(root), words: byWords(root) });
  return all;
}

/** Ranks by package. */
async function ranksOf(all: readonly Opened[], way: (each: Opened) => Way): Promise<number[][]> {
  const byPackage = new Map<string, number[]>();
  for (const each of all)
    for (const { pack, question, files } of each.cases) {
      const ranks = byPackage.get(pack) ?? [];
      byPackage.set(pack, ranks);
      ranks.push(rankOf(await way(each)(question), files));
    }
  return [...byPackage.values()];
}

const steps = [0.5, 0.75, 1.33, 2];
/** What changelogs can tell of: they name no places, and packages have no history. */
const fittable: readonly (keyof Weights)[] = [
  ...(["test", "document", "generated", "file", "path", "name", "comment", "k", "length"] as const),
  ...(["imported", "bridge", "defines"] as const),
];

/** One weight after the other, each to the best of some steps; twice. */
async function fit(all: readonly Opened[]): Promise<Weights> {
  let best = weights;
  const worth = async (using: Weights) => {
    const { reciprocal, five } = measured((await ranksOf(all, ({ index }) => byIndex(index, using))).flat());
    return reciprocal + five;
  };
  let top = await worth(best);
  for (let round = 0; round < 1; round++)
    for (const key of fittable)
      for (const step of steps) {
        const tried = { ...best, [key]: Math.round((best[key] === 0 ? 0.1 * step : best[key] * step) * 1_000) / 1_000 };
        const value = await worth(tried);
        if (value > top + 1e-6) [best, top] = [tried, value];
      }
  return best;
}

const percent = (value: number) => `${(100 * value).toFixed(0)} %`;

function row(name: string, byPackage: readonly (readonly number[])[]): string {
  const { first, five, ten, reciprocal } = measured(byPackage.flat());
  const [low, high] = interval(byPackage, (ranks) => measured(ranks).five);
  const [least, greatest] = interval(byPackage, (ranks) => measured(ranks).reciprocal);
  const shown = [percent(first), `${percent(five)} (${percent(low)} to ${percent(high)})`, percent(ten)];
  return `| ${name} | ${shown.join(" | ")} | ${reciprocal.toFixed(2)} (${least.toFixed(2)} to ${greatest.toFixed(2)}) |`;
}

export async function localisationBench(): Promise<string> {
  const folder = process.env["FETTLE_BENCH_PACKAGES"] ?? "";
  if (!existsSync(folder))
    return "localisation: put versions of packages into a folder (PACKAGE/VERSION/…, by npm pack) and name it in FETTLE_BENCH_PACKAGES";
  const cases = casesIn(folder);
  const packs = [...new Set(cases.map(({ pack }) => pack))].toSorted();
  const isHeld = ({ pack }: Case) => packs.indexOf(pack) % 2 === 1;
  const own = commitCases(path.resolve(import.meta.dirname, "../.."), 90);
  const lines: string[] = [`${cases.length} sentences of ${packs.length} packages: ${packs.join(", ")}`];
  if (process.env["FETTLE_BENCH_FIT"] === "1")
    lines.push(`fitted: ${JSON.stringify(await fit(await open([...cases.filter((each) => !isHeld(each)), ...own])))}`);
  for (const [name, half] of [
    ["fitted on", cases.filter((each) => !isHeld(each))],
    ["held back", cases.filter(isHeld)],
  ] as const) {
    const all = await open(half);
    lines.push(
      "",
      `${name}: ${half.length} sentences`,
      "| | first | among five | among ten | mean reciprocal rank |",
      "|---|---|---|---|---|",
    );
    lines.push(row("fettle", await ranksOf(all, ({ index }) => byIndex(index, weights))));
    lines.push(row("BM25 with paths", await ranksOf(all, ({ index }) => byIndex(index, plain))));
    lines.push(row("files with most of the words", await ranksOf(all, ({ words }) => words)));
    for (const { index } of all) await index.close();
  }
  return lines.join("\n");
}
