// Draws everyday commands with a seed from what scripts/everyday-corpus.mjs collected, so that nobody writes or chooses them.
// Usage: sh scripts/run.sh scripts/asks-sample.mjs COLLECTED SEED EACH; writes bench/asks/tune.tsv and held.tsv.
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

const [collected, seed, each] = process.argv.slice(2);
if (!collected || !seed || !each) throw new Error("usage: sample.mjs COLLECTED SEED EACH");

/** Mulberry32: the same numbers everywhere. */
let state = Number(seed) >>> 0;
function random() {
  state = (state + 0x6d2b79f5) >>> 0;
  let mixed = Math.imul(state ^ (state >>> 15), state | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
}

function stratumOf({ source }) {
  if (source.endsWith("package.json")) return "manifest";
  if (/\.ya?ml$|Makefile|Dockerfile/.test(source)) return "ci";
  return "document";
}

function shuffled(items) {
  const found = [...items];
  for (let last = found.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [found[last], found[other]] = [found[other], found[last]];
  }
  return found;
}

const items = readFileSync(collected, "utf8")
  .split("\n")
  .filter(Boolean)
  .map((line) => JSON.parse(line))
  .filter(({ command }) => !command.includes("\n") && !command.includes("\t"))
  .toSorted((left, right) => (left.command < right.command ? -1 : 1));
for (const half of ["tune", "held"]) {
  const drawn = ["manifest", "ci", "document"].flatMap((stratum) =>
    shuffled(items.filter((item) => item.half === half && stratumOf(item) === stratum))
      .slice(0, Number(each))
      .map(({ command }) => `${stratum}\t${command}`),
  );
  writeFileSync(path.join(import.meta.dirname, "../bench/asks", `${half}.tsv`), `${drawn.join("\n")}\n`);
  process.stderr.write(`${half}: ${drawn.length}\n`);
}
