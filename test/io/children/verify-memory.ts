// Verifies a made-up ledger of COUNT entries and prints the report and the highest memory seen meanwhile, in bytes.
import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import path from "node:path";
import { canonical } from "../../../src/base/canonical.ts";
import { genesis, link } from "../../../src/base/chain.ts";
import { readEntries, verifyLedger } from "../../../src/guard/ledger/ledger.ts";

const [folder = "", count = "0"] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
let hash = genesis;
let descriptor = -1;
let lines: string[] = [];
const perSegment = 50_000;
for (let seq = 1; seq <= Number(count); seq += 1) {
  if (seq % perSegment === 1) {
    const name = `${String((seq - 1) / perSegment + 1).padStart(6, "0")}.jsonl`;
    descriptor = openSync(path.join(folder, name), "w");
  }
  const kind = seq === 1 ? "ledger.created" : "note";
  const entry = link(hash, { v: 1, seq, at: seq, actor: "a", kind, name: "n", data: { text: "x".repeat(200) } });
  hash = entry.hash;
  lines.push(`${canonical(entry)}\n`);
  if (lines.length === 1000 || seq === Number(count)) {
    writeSync(descriptor, lines.join(""));
    lines = [];
    if (seq % perSegment === 0 || seq === Number(count)) closeSync(descriptor);
  }
}
const used = () => {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};
const before = used();
let peak = before;
const sampler = setInterval(() => {
  peak = Math.max(peak, used());
}, 20);
const report = await verifyLedger(folder);
let read = 0;
for await (const _ of readEntries(folder, {})) read += 1;
clearInterval(sampler);
process.stdout.write(JSON.stringify({ ok: report.ok, entries: report.entries, read, growth: peak - before }));
