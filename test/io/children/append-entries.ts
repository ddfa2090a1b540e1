// Appends pairs of ledger entries for ever (or COUNT times) and says after each how far it is.
import { writeSync } from "node:fs";
import path from "node:path";
import { openLedger } from "../../../src/guard/ledger/ledger.ts";
import { loadKeyPair } from "../../../src/io/journal/key.ts";
import { openStore } from "../../../src/io/store/store.ts";

const [folder = "", count = "1000000", segmentBytes = "8000000"] = process.argv.slice(2);
const store = openStore(path.join(folder, "state.db"));
const ledger = openLedger({
  folder: path.join(folder, "ledger"),
  store,
  key: () => loadKeyPair(folder),
  actor: `child-${process.pid}`,
  segmentBytes: Number(segmentBytes),
});
for (let index = 1; index <= Number(count); index += 1) {
  const begun = ledger.begin({
    session: `s-${process.pid}`,
    turn: 1,
    call: `call-${index}`,
    tool: "shell",
    origin: "model",
    argumentsDigest: "a".repeat(64),
    effects: [{ kind: "execute", target: "/usr/bin/true", part: "x".repeat(300), undo: "reversible" }],
    risk: "L0",
    verdict: "allow",
    rule: "autonomy.2",
    sandboxed: true,
  });
  writeSync(1, `${begun.seq}\n`);
  ledger.end(begun, { status: "done", resultDigest: "b".repeat(64), ms: 1 });
}
ledger.seal("done");
ledger.close();
store.close();
