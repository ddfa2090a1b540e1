// npm run bench -- codebase: what the sources in front of a conversation cost, against looking for what is needed. The real
// program, and a scripted model that does what models do with the one and with the other.
import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { messagesOf } from "../test/scenarios/scene.ts";
import { type ModelServerRequest, startModelServer, type Step } from "../test/support/model-server.ts";
import { commonLength } from "./prefix.ts";

const root = path.dirname(import.meta.dirname);
const window = 128_000;
const sizes = [
  { files: 20, lines: 30 },
  { files: 100, lines: 40 },
];
const ways = ["never", "auto"] as const;
type Way = (typeof ways)[number];

interface Run {
  rounds: number;
  sent: number;
  /** Bytes that are the beginning of the request before. */
  same: number;
  first: number;
}

/** A tenth of the price is usual for what a provider has cached. */
const paid = ({ sent, same }: Run): number => sent - same * 0.9;

const nameOf = (at: number): string => `src/part${at}.ts`;
const lineOf = (at: number, line: number): string =>
  `export const part${at}_${line} = (n: number) => n * ${at + line};`;
const sourceOf = (at: number, lines: number): string =>
  `${Array.from({ length: lines }, (_, line) => lineOf(at, line)).join("\n")}\n`;

const prompt = "Let part3_5 add one to what it makes of n, and part7_5 likewise.";
type Calls = NonNullable<Step["calls"]>;
const edit = (at: number, id: string): Calls[number] => ({
  ...{ id, name: "edit" },
  input: { path: nameOf(at), old: lineOf(at, 5), new: lineOf(at, 5).replace("n *", "1 + n *") },
});
const read = (at: number, id: string): Calls[number] => ({ id, name: "read", input: { path: nameOf(at) } });
const grep = (pattern: string, id: string): Calls[number] => ({ id, name: "grep", input: { pattern, path: "src" } });
const check = (id: string): Calls[number] => ({ id, name: "shell", input: { command: "git status --short" } });

/** What is called in each round before the answer. */
const work: Readonly<Record<Way, readonly Calls[]>> = {
  never: [
    [grep("part3_", "a")],
    [read(3, "b"), read(4, "c"), read(13, "d")],
    [edit(3, "e")],
    [grep("part7_5", "f")],
    [read(7, "g")],
    [edit(7, "h")],
    [check("i")],
  ],
  auto: [[edit(3, "e")], [edit(7, "h")], [check("i")]],
};

function model(way: Way): { run: Run; answer(request: ModelServerRequest): Step } {
  const run: Run = { rounds: 0, sent: 0, same: 0, first: 0 };
  let before = "";
  const answer = (request: ModelServerRequest): Step => {
    // As providers keep it: the tools first.
    const now = JSON.stringify([request.body["tools"], request.body["messages"]]);
    const calls = work[way][messagesOf(request).filter(({ role }) => role === "assistant").length];
    run.rounds += 1;
    run.sent += now.length;
    run.same += commonLength(before, now);
    run.first ||= now.length;
    before = now;
    return calls ? { say: "I look.", calls: [...calls] } : { say: "Both add one." };
  };
  return { run, answer };
}

async function measured(folder: string, way: Way, { files, lines }: (typeof sizes)[number]): Promise<Run> {
  const project = path.join(folder, "project");
  mkdirSync(path.join(project, "src"), { recursive: true });
  for (let at = 0; at < files; at += 1) writeFileSync(path.join(project, nameOf(at)), sourceOf(at, lines));
  const { run, answer } = model(way);
  const server = await startModelServer(answer);
  const config = path.join(folder, ".config/fettle");
  mkdirSync(config, { recursive: true });
  writeFileSync(path.join(config, "config.toml"), configOf(server.url, way));
  const around = { cwd: project, env: { PATH: process.env["PATH"], HOME: folder, OPENAI_API_KEY: "k" } };
  try {
    await ended(spawn("git", ["init", "--quiet"], around));
    await ended(spawn(path.join(root, "bin/fettle"), ["-p", "--quiet", "--autonomy", "4", prompt], around));
  } finally {
    await server.close();
  }
  return run;
}

async function ended(child: ReturnType<typeof spawn>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<number | null>();
  child.once("exit", resolve);
  const code = await promise;
  if (code !== 0) throw new Error(`${child.spawnfile} ended with ${code}`);
}

/** `auto` as the specification has it: up to six tenths of the window. */
const configOf = (url: string, way: Way): string =>
  `model.default = "openai/scripted"
[context]
whole_codebase = "${way}"
whole_codebase_tokens = ${window}
[providers.openai]
type = "openai-compatible"
base_url = "${url}/v1"
num_ctx = ${window}
`;

export async function codebaseBench(folder: string): Promise<string> {
  const lines = ["codebase: two changes in one run; paid: bytes of all prompts, cached ones by a tenth"];
  const head = ["sources", "way", "rounds", "first", "sent", "cached", "paid", "ratio"];
  lines.push(head.map((cell) => cell.padStart(9)).join(""));
  for (const [at, size] of sizes.entries()) {
    const bytes = size.files * sourceOf(10, size.lines).length;
    let base: number | undefined;
    for (const way of ways) {
      const run = await measured(path.join(folder, `${at}`, way), way, size);
      base ??= paid(run);
      const kb = (value: number): string => `${Math.round(value / 1000)} kB`;
      const share = `${Math.round((run.same / run.sent) * 100)} %`;
      const ratio = (paid(run) / base).toFixed(2);
      const cells = [kb(bytes), way, String(run.rounds), kb(run.first), kb(run.sent), share, kb(paid(run)), ratio];
      lines.push(cells.map((cell) => cell.padStart(9)).join(""));
    }
  }
  return lines.join("\n");
}
