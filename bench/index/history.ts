// npm run bench -- history: what commits add to the index, shown on made repositories, since packages have no history. In each,
// topics have files whose code says nothing of them; messages of commits do. Drawn by a seed: how close that is to life is not said.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { CodeIndex } from "../../src/memory/index/code-index.ts";
import { type Weights, weights } from "../../src/memory/index/weights.ts";

const repositories = 6;
const topics = 20;
const filesOfTopic = 3;
const commits = 200;
const syllables = ["ba", "ke", "lo", "mi", "nu", "ra", "se", "ti", "vo", "zu", "fa", "de", "go", "pi"];

function draws(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
}

interface Made {
  questions: { query: string; right: string[] }[];
}

function make(root: string, seed: number): Made {
  const draw = draws(seed);
  const word = () => Array.from({ length: 3 }, () => syllables[draw(syllables.length)]).join("");
  const clusters = Array.from({ length: topics }, () => ({
    words: [word(), word()],
    files: Array.from({ length: filesOfTopic }, () => `src/${word()}/${word()}.ts`),
  }));
  const input: string[] = [];
  const at = () =>
    `author A <a@b> ${1_700_000_000 + input.length} +0000\ncommitter A <a@b> ${1_700_000_000 + input.length} +0000`;
  const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}`;
  const source = () => `export const ${word()} = ${draw(99)};\nexport function ${word()}() {\n  return ${word()};\n}\n`;
  const latest = new Map<string, string>();
  const commit = (message: string, files: readonly string[]) => {
    const changes = files.map((file) => {
      latest.set(file, source());
      return `M 644 inline ${file}\n${data(latest.get(file) ?? "")}`;
    });
    input.push(`commit refs/heads/main\n${at()}\n${data(message)}\n${changes.join("\n")}\n`);
  };
  commit(
    "Begin",
    clusters.flatMap(({ files }) => files),
  );
  for (let count = 0; count < commits; count++) {
    const { words, files } = clusters[draw(topics)] ?? { words: [], files: [] };
    // One in five commits changes a file of another topic, too.
    const says = draw(2) === 0;
    const said = says ? `${word()} ${words[draw(2)]} ${word()}` : `${word()} ${word()}`;
    const stray = draw(5) === 0 ? [clusters[draw(topics)]?.files[0] ?? ""] : [];
    // What names its topic changes the first file alone; the others change with it in commits that say nothing.
    commit(said, [...new Set([...(says ? files.slice(0, 1) : files.slice(draw(2))), ...stray])]);
  }
  mkdirSync(root, { recursive: true });
  execFileSync("git", ["init", "-q", "-b", "main", root]);
  execFileSync("git", ["fast-import", "--quiet"], { cwd: root, input: input.join("\n") });
  execFileSync("git", ["checkout", "-q", "-f", "main"], { cwd: root });
  for (const [file, text] of latest) writeFileSync(path.join(root, file), text);
  return { questions: clusters.map(({ words, files }) => ({ query: words.join(" "), right: files })) };
}

const ways: readonly (readonly [string, Partial<Weights>])[] = [
  ["without commits", { history: 0, together: 0, recent: 0 }],
  ["messages, recency", { together: 0 }],
  ["and what changed together", {}],
];

export async function historyBench(folder: string): Promise<string> {
  const sums = new Map(ways.map(([name]) => [name, { five: 0, reciprocal: 0, all: 0 }]));
  for (let at = 0; at < repositories; at++) {
    const root = path.join(folder, `history${at}`);
    const { questions } = make(root, at + 1);
    const index = new CodeIndex({ root, file: ":memory:", hidden: () => false, redact: (text) => text });
    await index.update();
    for (const [name, other] of ways)
      for (const { query, right } of questions) {
        const { files } = await index.ask(query, { most: 10, weights: { ...weights, ...other } });
        const place = files.findIndex((file) => right.includes(file.path));
        const all = files.slice(0, 5).filter((file) => right.includes(file.path)).length;
        const sum = sums.get(name) ?? { five: 0, reciprocal: 0, all: 0 };
        sum.five += place >= 0 && place < 5 ? 1 : 0;
        sum.reciprocal += place < 0 ? 0 : 1 / (place + 1);
        sum.all += all / right.length;
      }
    await index.close();
  }
  const count = repositories * topics;
  const rows = [...sums].map(([name, { five, reciprocal, all }]) =>
    [
      name.padEnd(28),
      `${Math.round((five / count) * 100)} %`,
      (reciprocal / count).toFixed(2),
      `${Math.round((all / count) * 100)} %`,
    ]
      .map((cell) => cell.padStart(8))
      .join(""),
  );
  return [
    `history: ${count} questions on ${repositories} made repositories`,
    `${"".padEnd(28)}  one of 5     MRR  of all three, among 5`,
    ...rows,
  ].join("\n");
}
