// npm run bench -- soak [rounds]: the real program in one long session, its memory and requests over the rounds. Writes the
// plot of docs/guide/context.md.
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { messagesOf } from "../test/scenarios/scene.ts";
import { type ModelServerRequest, startModelServer, type Step } from "../test/support/model-server.ts";
import { commonLength } from "./prefix.ts";
import { lineChart } from "./svg.ts";

const root = path.dirname(import.meta.dirname);
const plot = path.join(root, "docs/guide/images/soak.svg");
const usualRounds = 2_000;
const window = 64_000;
const files = 40;
const summary = `## Goal\nKeep every file in order.\n## State\n${"One more part was looked at, and it is as it should be. ".repeat(40)}`;

interface Sample {
  rssMb: number;
  requestKb: number;
}

interface Soak {
  samples: Sample[];
  compactions: number;
  /** Bytes that were sent, and how many of them are the beginning of the request before. */
  sent: number;
  same: number;
}

/** Reads, edits, searches and lists, never twice the same in a row; counts as a provider that caches prefixes would. */
function model(rounds: number, rss: () => number): { soak: Soak; answer(request: ModelServerRequest): Step } {
  const soak: Soak = { samples: [], compactions: 0, sent: 0, same: 0 };
  let before = "";
  let round = 0;
  const answer = (request: ModelServerRequest): Step => {
    const now = request.raw.slice(request.raw.indexOf('"messages"'));
    const same = commonLength(before, now);
    const usage = { input: Math.ceil(now.length / 4), output: 60, cacheRead: Math.floor(same / 4) };
    soak.sent += now.length;
    soak.same += same;
    if (request.raw.includes("are about to be left out of this conversation")) {
      soak.compactions += 1;
      return { say: summary, usage };
    }
    before = now;
    round += 1;
    soak.samples.push({ rssMb: rss(), requestKb: request.raw.length / 1000 });
    if (round > rounds || messagesOf(request).length === 0) return { say: "All is in order.", usage };
    return { say: `Round ${round}: looking at the next part.`, calls: [callOf(round)], usage };
  };
  return { soak, answer };
}

function callOf(round: number) {
  const name = `src/part${round % files}.ts`;
  const id = `r${round}`;
  if (round % 5 === 0) return { id, name: "write", input: { path: name, content: sourceOf(round) } };
  if (round % 7 === 0) return { id, name: "grep", input: { pattern: `part${round % files}`, path: "src" } };
  return { id, name: "read", input: { path: name } };
}

const sourceOf = (round: number): string => `export const part = ${round};\n`.repeat(250);

const rssOf = (pid: number | undefined): number => {
  const status = pid === undefined ? "" : readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
};

export async function soakBench(folder: string, rounds = usualRounds): Promise<string> {
  const project = path.join(folder, "project");
  mkdirSync(path.join(project, "src"), { recursive: true });
  for (let at = 0; at < files; at += 1) writeFileSync(path.join(project, `src/part${at}.ts`), sourceOf(-at));
  const running: { pid?: number } = {};
  const { soak, answer } = model(rounds, () => rssOf(running.pid));
  const server = await startModelServer(answer);
  const config = path.join(folder, ".config/fettle");
  mkdirSync(config, { recursive: true });
  writeFileSync(path.join(config, "config.toml"), configOf(server.url, rounds));
  try {
    const args = ["-p", "--quiet", "--autonomy", "4", "Keep every file in order."];
    const child = spawn(path.join(root, "bin/fettle"), args, {
      cwd: project,
      env: { PATH: process.env["PATH"], HOME: folder, OPENAI_API_KEY: "k" },
      stdio: ["ignore", "ignore", "inherit"],
    });
    if (child.pid !== undefined) running.pid = child.pid;
    const { promise, resolve } = Promise.withResolvers<number | null>();
    child.once("exit", resolve);
    const code = await promise;
    if (code !== 0) throw new Error(`fettle ended with ${code} after ${soak.samples.length} rounds`);
  } finally {
    await server.close();
  }
  return report(soak);
}

const configOf = (url: string, rounds: number): string =>
  `model.default = "openai/scripted"
[limits]
rounds = ${rounds + 10}
turn_minutes = 90
[providers.openai]
type = "openai-compatible"
base_url = "${url}/v1"
num_ctx = ${window}
`;

function report({ samples, compactions, sent, same }: Soak): string {
  const mean = (part: readonly Sample[], of: (sample: Sample) => number): number =>
    part.reduce((sum, sample) => sum + of(sample), 0) / Math.max(1, part.length);
  const tenth = Math.floor(samples.length / 10);
  const second = samples.slice(tenth, 2 * tenth);
  const last = samples.slice(-tenth);
  mkdirSync(path.dirname(plot), { recursive: true });
  const rows = samples.filter((_sample, at) => at % Math.max(1, Math.floor(samples.length / 300)) === 0);
  const title = "One long session: resident memory of the process";
  const frame = { title, x: "rounds", y: "resident memory (RSS), MB", until: samples.length };
  writeFileSync(plot, lineChart(frame, [{ name: "RSS", ink: 0, values: rows.map(({ rssMb }) => rssMb) }]));
  const most = Math.max(...samples.map(({ rssMb }) => rssMb));
  const largest = Math.max(...samples.map(({ requestKb }) => requestKb));
  return [
    `soak: ${samples.length} rounds in a window of ${window} tokens, ${compactions} compactions`,
    `  RSS             ${mean(second, ({ rssMb }) => rssMb).toFixed(0)} MB in the second tenth, ${mean(last, ({ rssMb }) => rssMb).toFixed(0)} MB in the last, ${most.toFixed(0)} MB at most`,
    `  request         ${mean(second, ({ requestKb }) => requestKb).toFixed(0)} kB in the second tenth, ${mean(last, ({ requestKb }) => requestKb).toFixed(0)} kB in the last, ${largest.toFixed(0)} kB at most`,
    `  same prefix     ${((same / sent) * 100).toFixed(1)} % of all bytes sent were the beginning of the request before`,
    `  plot            ${path.relative(root, plot)}`,
  ].join("\n");
}
