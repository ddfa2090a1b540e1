// `npm run check`: everything a machine can say about the source without running it. Two at a time, each told with its time.
import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const packaged = (...parts) => path.join(root, "node_modules", ...parts);
const node = (file, ...args) => [process.execPath, [file, ...args]];

let layersRead = 0;

/** dependency-cruiser may read nothing without a word: what it read is held against what there is. */
function layersProblem(output) {
  const { summary, modules } = JSON.parse(output);
  const read = modules.filter(({ source }) => source.startsWith("src/") && source.endsWith(".ts")).length;
  const sources = readdirSync(path.join(root, "src"), { recursive: true }).filter(
    (name) => name.endsWith(".ts") && !name.endsWith(".d.ts"),
  ).length;
  if (read < sources) return `only ${read} of ${sources} modules were read`;
  layersRead = read;
  return summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`).join("\n");
}

const checks = [
  // Several threads would look at much of it twice; here there are two checks at a time.
  ["types", node(packaged("typescript", "bin", "tsc"), "-p", ".", "--singleThreaded")],
  ["lint", node(packaged("oxlint", "bin", "oxlint"), "--type-aware", "--deny-warnings", ".")],
  ["tidy", node(packaged("vitest", "vitest.mjs"), "run", "test/tidy.test.ts")],
  [
    "layers",
    node(packaged("dependency-cruiser", "bin", "dependency-cruiser.mjs"), "--output-type", "json", "src"),
    layersProblem,
  ],
  ["format", node(packaged("@biomejs", "biome", "bin", "biome"), "format", "--colors=off", ".")],
  ["unused", node(packaged("knip", "bin", "knip.js"), "--no-progress")],
];

function run([name, [command, args], judge]) {
  return new Promise((resolve) => {
    const started = performance.now();
    const child = spawn(command, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    let errors = "";
    child.stdout.on("data", (chunk) => (output += chunk));
    child.stderr.on("data", (chunk) => (errors += chunk));
    child.on("close", (code) => {
      const readable = judge && output.startsWith("{");
      const problem = readable ? judge(output) : code === 0 && !judge ? "" : `${output}${errors}`;
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      console.log(`${problem ? "FAILED" : "ok    "} ${name} (${seconds} s)${problem ? `\n${problem.trim()}\n` : ""}`);
      resolve(problem === "");
    });
  });
}

const started = performance.now();
const waiting = [...checks];
const verdicts = [];
const worker = async () => {
  for (let next = waiting.shift(); next; next = waiting.shift()) verdicts.push(await run(next));
};
await Promise.all([worker(), worker()]);
console.log(
  `${verdicts.filter(Boolean).length} of ${checks.length}, ${layersRead} modules in the layers, in ${((performance.now() - started) / 1000).toFixed(1)} s`,
);
process.exitCode = verdicts.every(Boolean) ? 0 : 1;
