// Fills the disk that FOLDER is on by facts and by ledger entries, then frees it again; prints what happened.
import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Fault } from "../../../src/base/fault.ts";
import { type LedgerAct, ledgerHead, openLedger, verifyLedger } from "../../../src/guard/ledger/ledger.ts";
import { loadKeyPair } from "../../../src/io/journal/key.ts";
import { openStore } from "../../../src/io/store/store.ts";

const [folder = "", other = ""] = process.argv.slice(2);
const act: LedgerAct = {
  session: "s",
  turn: 1,
  call: "c",
  tool: "shell",
  origin: "model",
  argumentsDigest: "a".repeat(64),
  effects: [{ kind: "execute", target: "/usr/bin/true", part: "x".repeat(1500), undo: "reversible" }],
  risk: "L0",
  verdict: "allow",
  rule: "r",
  sandboxed: true,
};

function codeOf(body: () => void): string {
  try {
    body();
    return "none";
  } catch (error) {
    return error instanceof Fault ? `${error.code} ${error.exit}` : String(error);
  }
}

function endless(body: () => void): { code: string; count: number } {
  let count = 0;
  const code = codeOf(() => {
    for (; count < 100_000; count += 1) body();
  });
  return { code, count };
}

/** Takes all the room that is left but a little. */
function fill(): void {
  for (const size of [1_000_000, 100_000, 10_000, 1000]) {
    for (let index = 0; index < 100; index += 1) {
      const name = path.join(folder, `fill-${size}-${index}`);
      try {
        writeFileSync(name, Buffer.alloc(size));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
        rmSync(name, { force: true });
        break;
      }
    }
  }
}

function free(): void {
  for (const size of [1_000_000, 100_000, 10_000, 1000]) {
    for (let index = 0; index < 100; index += 1) rmSync(path.join(folder, `fill-${size}-${index}`), { force: true });
  }
}

// The database on the full disk.
const reserve = path.join(folder, "reserve");
writeFileSync(reserve, Buffer.alloc(4_500_000));
const store = openStore(path.join(folder, "state.db"));
store.createSession({ id: "sess", workspace: "/w", cwd: "/w", at: 1, model: "m" });
const facts = endless(() => store.append("sess", { type: "note.added", turn: 1, text: "x".repeat(5000) }));
const kept = store.facts("sess").length;
rmSync(reserve);
store.deleteSession("sess");

// The ledger on the full disk, its head row elsewhere.
const elsewhere = openStore(path.join(other, "state.db"));
const ledgerFolder = path.join(folder, "ledger");
const ledger = openLedger({ folder: ledgerFolder, store: elsewhere, key: () => loadKeyPair(other), actor: "a" });
ledger.begin(act);
fill();
const entries = endless(() => void ledger.begin(act));
free();
ledger.begin(act);
ledger.seal("end");
const head = ledgerHead(elsewhere);
const report = await verifyLedger(ledgerFolder, head ? { head } : {});
process.stdout.write(JSON.stringify({ facts, kept, entries, report }));
