// npm run bench -- outline: does an outline of the project before the conversation pay? Folders of this repository as projects of
// their own, subjects of its commits as questions, the files that these changed as right. A scripted reader: with the outline it opens
// the file whose line shares most words with the question; without, or if that was wrong, it asks find and opens what that names.
import { execFileSync } from "node:child_process";
import { cpSync } from "node:fs";
import path from "node:path";
import { wordsOf } from "../../src/base/code-words.ts";
import { CodeIndex } from "../../src/memory/index/code-index.ts";
import { outlineOf } from "../../src/memory/map/outline.ts";

const root = path.dirname(path.dirname(import.meta.dirname));
const folders = ["src/tools", "src/memory", "src/extensions", "src/engine", "src/model", "src/surfaces/cli"];
const budget = 4_000;
/** What stands in every request, and what one more round adds: bytes, as measured at the scripted model. */
const prefix = 4_900;
const round = 1_200;
/** A session goes on after the right file was found. */
const later = 8;
const cached = 0.1;

interface Sum {
  requests: number;
  until: number;
  session: number;
}

function casesOf(folder: string): { query: string; right: string[] }[] {
  const log = execFileSync("git", ["log", "-n400", "--no-merges", "--format=%x01%s", "--name-only", "--", folder], {
    cwd: root,
  });
  return log
    .toString()
    .split("\u0001")
    .slice(1)
    .map((each) => {
      const [query = "", ...files] = each.trim().split(/\n+/);
      return { query, right: files.filter((file) => file.endsWith(".ts")).map((file) => path.relative(folder, file)) };
    })
    .filter(({ right }) => right.length > 0 && right.length <= 3)
    .slice(0, 40);
}

/** Bytes that are paid for: what was sent before costs a tenth. */
function costOf(opened: number, asked: boolean, outline: number): Sum {
  const requests = 1 + opened + (asked ? 1 : 0);
  const sent = (count: number) => {
    let all = 0;
    for (let at = 0; at < count; at++)
      all += (prefix + outline + at * round) * (at === 0 ? 1 : cached) + (at === 0 ? 0 : round);
    return all;
  };
  return { requests, until: sent(requests), session: sent(requests + later) };
}

function guess(text: string, query: string): string {
  const asked = new Set(wordsOf(query));
  let folder = "";
  let best = { file: "", score: 0 };
  for (const line of text.split("\n")) {
    if (!line.startsWith(" ")) {
      folder = line.replace(/\/$/, "");
      continue;
    }
    const [name = ""] = line.trim().split(" ", 1);
    const score = new Set(wordsOf(line).filter((word) => asked.has(word))).size;
    if (score > best.score) best = { file: path.posix.join(folder, name), score };
  }
  return best.file;
}

export async function outlineBench(folder: string): Promise<string> {
  const rows = [
    "outline: mean of requests until the right file, bytes paid until then, and over a session of eight requests more",
  ];
  rows.push("project                files  in outline   way      requests     until   session");
  for (const name of folders) {
    const project = path.join(folder, name.replaceAll("/", "-"));
    cpSync(path.join(root, name), project, { recursive: true });
    const index = new CodeIndex({ root: project, file: ":memory:", hidden: () => false, redact: (text) => text });
    await index.update();
    const { text, shown, all } = outlineOf(index.map(), budget);
    const sums = { find: { requests: 0, until: 0, session: 0 }, outline: { requests: 0, until: 0, session: 0 } };
    const cases = casesOf(name);
    for (const { query, right } of cases) {
      const { files } = await index.ask(query, { most: 10 });
      const place = files.findIndex((file) => right.includes(file.path));
      const opened = place < 0 ? 10 : place + 1;
      const first = guess(text, query);
      const isRight = right.includes(first);
      add(sums.find, costOf(opened, true, 0));
      add(
        sums.outline,
        isRight ? costOf(1, false, text.length) : costOf(opened + (first === "" ? 0 : 1), true, text.length),
      );
    }
    await index.close();
    for (const [way, sum] of Object.entries(sums)) {
      const mean = (value: number) => value / Math.max(1, cases.length);
      const cells = [
        mean(sum.requests).toFixed(2),
        `${(mean(sum.until) / 1000).toFixed(1)} kB`,
        `${(mean(sum.session) / 1000).toFixed(1)} kB`,
      ];
      rows.push(
        `${name.padEnd(20)} ${String(all).padStart(7)} ${String(shown).padStart(11)}   ${way.padEnd(8)}${cells.map((cell) => cell.padStart(10)).join("")}`,
      );
    }
  }
  return rows.join("\n");
}

function add(into: Sum, { requests, until, session }: Sum): void {
  into.requests += requests;
  into.until += until;
  into.session += session;
}
