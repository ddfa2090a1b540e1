import path from "node:path";
import { link } from "../src/base/chain.ts";
import { signedEntry } from "../src/guard/ledger/entry-signature.ts";
import { type KeyPair, ledgerHead, openLedger, verifyLedger } from "../src/guard/ledger/ledger.ts";
import { loadKeyPair } from "../src/io/journal/key.ts";
import { type JournalEntry, Segments } from "../src/io/journal/segments.ts";
import { openStore } from "../src/io/store/store.ts";

const entries = 1_000_000;
const batch = 10_000;
const segmentBytes = 8 * 1024 * 1024;

/** A ledger of a million entries, written in large batches (one flush each), then verified as `fettle audit verify` does. */
export async function verifyBench(folder: string): Promise<string> {
  const count = Number(process.env["BENCH_ENTRIES"] ?? entries);
  const ledgerFolder = path.join(folder, "ledger");
  const store = openStore(path.join(folder, "state.db"));
  const key = () => loadKeyPair(folder);
  const ledger = openLedger({ folder: ledgerFolder, store, key, actor: "bench" });
  ledger.note("bench", {});
  const written = performance.now();
  const segments = new Segments({ folder: ledgerFolder, database: store.database, limit: segmentBytes });
  for (let done = 0; done < count; done += batch)
    segments.write((journal) => journal.append(notesAfter(journal.head(), key())));
  segments.close();
  ledger.note("bench", {});
  ledger.seal("bench");
  ledger.close();
  const head = ledgerHead(store);
  store.close();
  const started = performance.now();
  const before = process.memoryUsage().rss;
  const report = await verifyLedger(ledgerFolder, { ...(head && { head }) });
  const seconds = (performance.now() - started) / 1000;
  if (!report.ok) throw new Error(`the ledger does not verify: ${report.problem}`);
  const grown = Math.round((process.memoryUsage().rss - before) / 1024 / 1024);
  return [
    "verify",
    `  ${report.entries} entries in ${report.segments} segments, written in ${((started - written) / 1000).toFixed(1)} s`,
    `  verified in ${seconds.toFixed(1)} s, ${Math.round(report.entries / seconds)} a second; memory grew by ${grown} MB`,
  ].join("\n");
}

/** Only the last of them is signed for real, which is the one that is verified: making a million signatures takes a minute. */
function notesAfter(head: { seq: number; hash: string }, key: KeyPair): JournalEntry[] {
  let last: { seq: number; hash: string } = head;
  const sig = key.sign("bench");
  return Array.from({ length: batch }, (_, index) => {
    const seq = last.seq + 1;
    const fields = { v: 2, seq, at: Date.now(), kind: "note", actor: "bench", name: "bench", data: { seq } };
    const open = { ...fields, prev: last.hash, key: key.publicKey };
    const entry = link(last.hash, index === batch - 1 ? signedEntry(open, key) : { ...open, sig });
    last = entry;
    return entry;
  });
}
