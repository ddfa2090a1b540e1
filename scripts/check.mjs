// `npm run check`: everything a machine can say about the source without running it. Two at a time, each told with its time.
import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const modules = (...parts) => path.join(root, "node_modules", ...parts);
const node = (file, ...args) => [process.execPath, [file, ...args]];

/** dependency-cruiser may read nothing without a word: what it read is held against what there is. */
function layersProblem(output) {
  const { summary } = JSON.parse(output);
  const sources = readdirSync(path.join(root, "src"), { recursive: true }).filter(
    (name) => name.endsWith(".ts") && !name.endsWith(".d.ts"),
  ).length;
  if (summary.totalCruised < sources) return `only ${summary.totalCruised} of ${sources} modules were read`;
  return summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`).join("\n");
}

const checks = [
  ["types", node(modules("typescript", "bin", "tsc"), "-p", ".")],
  ["lint", node(modules("oxlint", "bin", "oxlint"), "--type-aware", "--deny-warnings", ".")],
  [
    "layers",
    node(modules("dependency-cruiser", "bin", "dependency-cruiser.mjs"), "--output-type", "json", "src"),
    layersProblem,
  ],
  ["format", node(modules("@biomejs", "biome", "bin", "biome"), "format", "--colors=off", ".")],
  ["unused", node(modules("knip", "bin", "knip.js"), "--no-progress")],
  ["tidy", node(modules("vitest", "vitest.mjs"), "run", "test/tidy.test.ts")],
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
  `${verdicts.filter(Boolean).length} of ${checks.length} in ${((performance.now() - started) / 1000).toFixed(1)} s`,
);
process.exitCode = verdicts.every(Boolean) ? 0 : 1;
