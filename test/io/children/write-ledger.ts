// Writes pairs of entries with everything that fettle knows of a ledger, and says after each how far it is; COUNT times.
import { writeSync } from "node:fs";
import path from "node:path";
import { openLedger } from "../../../src/guard/ledger/ledger.ts";
import { readHandovers } from "../../../src/io/journal/handovers.ts";
import { keyPairReader } from "../../../src/io/journal/key.ts";
import { knownHeadFile } from "../../../src/io/journal/known-head.ts";
import { openStore } from "../../../src/io/store/store.ts";

const act = {
  ...{ session: "s", turn: 1, tool: "shell", origin: "model", argumentsDigest: "a".repeat(64), effects: [] },
  ...{ verdict: "allow" as const, rule: "autonomy.2", sandboxed: true },
};

const [root = "", count = "100000"] = process.argv.slice(2);
const folder = path.join(root, "projects", "p");
const store = openStore(path.join(folder, "state.db"));
const ledger = openLedger({
  ...{ folder: path.join(folder, "ledger"), store, actor: `child-${process.pid}`, segmentBytes: 6000 },
  ...{ key: keyPairReader(root), handovers: () => readHandovers(root), knownHead: knownHeadFile(root, "p") },
});
for (let index = 0; index < Number(count); index += 1) {
  const begun = ledger.begin({ ...act, risk: index % 2 === 0 ? "L0" : "L1", call: `child-${index}` });
  writeSync(1, `${begun.seq}\n`);
  ledger.end(begun, { status: "done", resultDigest: "b".repeat(64), ms: 1 });
}
ledger.seal("session.end");
ledger.close();
store.close();
