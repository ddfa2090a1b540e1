import path from "node:path";
import { openLedger, verifyLedger } from "../src/guard/ledger/ledger.ts";
import { loadKeyPair } from "../src/io/journal/key.ts";
import { openStore } from "../src/io/store/store.ts";

const entries = 1_000_000;

/** Writes a million entries (unflushed batches would be a different ledger, so this takes minutes) and verifies them. */
export async function verifyBench(folder: string): Promise<string> {
  const count = Number(process.env["BENCH_ENTRIES"] ?? entries);
  const store = openStore(path.join(folder, "state.db"));
  const ledger = openLedger({
    folder: path.join(folder, "ledger"),
    store,
    key: () => loadKeyPair(folder),
    actor: "bench",
  });
  const written = performance.now();
  for (let index = 0; index < count; index += 1) ledger.note("bench", { index });
  ledger.seal("bench");
  ledger.close();
  store.close();
  const started = performance.now();
  const report = await verifyLedger(path.join(folder, "ledger"));
  const seconds = (performance.now() - started) / 1000;
  const peak = Math.round(process.resourceUsage().maxRSS / 1024);
  if (!report.ok) throw new Error(`the ledger does not verify: ${report.problem}`);
  return [
    "verify",
    `  ${report.entries} entries written in ${((started - written) / 1000).toFixed(1)} s, verified in ${seconds.toFixed(1)} s`,
    `  ${Math.round(report.entries / seconds)} entries/s, peak memory of this process ${peak} MB`,
  ].join("\n");
}
