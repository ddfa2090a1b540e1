import path from "node:path";
import { openLedger } from "../src/guard/ledger/ledger.ts";
import { keyPairReader } from "../src/io/journal/key.ts";
import { openStore } from "../src/io/store/store.ts";
import { measure, table } from "./measure.ts";

const act = {
  ...{ session: "bench", turn: 1, call: "c", tool: "shell", origin: "model", argumentsDigest: "0".repeat(64) },
  effects: [{ kind: "execute" as const, target: "/usr/bin/git", part: "git status", undo: "reversible" as const }],
  ...{ risk: "L1" as const, verdict: "allow" as const, rule: "autonomy.2", sandboxed: true },
};

export async function ledgerBench(folder: string): Promise<string> {
  const store = openStore(path.join(folder, "state.db"));
  const ledger = openLedger({
    folder: path.join(folder, "ledger"),
    store,
    key: keyPairReader(folder),
    actor: "bench",
  });
  const pair = await measure(
    "begin and end of one effect, each flushed",
    () => ledger.end(ledger.begin(act), { status: "done", resultDigest: "0".repeat(64), ms: 1 }),
    { rounds: 1000 },
  );
  const seal = await measure(
    "signed checkpoint",
    () => {
      ledger.note("bench", {});
      ledger.seal("bench");
    },
    { rounds: 50 },
  );
  ledger.close();
  store.close();
  return table("ledger", [pair, seal]);
}
