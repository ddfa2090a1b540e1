// What the whole gate adds to a call: judged twice, two facts and two ledger entries, flushed; the tool does nothing.
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createFence } from "../src/guard/fence/fence.ts";
import { createFirewall } from "../src/guard/firewall/firewall.ts";
import { fixedContext } from "../src/guard/explain.ts";
import { createGate, type Gate } from "../src/guard/gate.ts";
import { openLedger } from "../src/guard/ledger/ledger.ts";
import { createFacts } from "../src/io/facts.ts";
import { loadKeyPair } from "../src/io/journal/key.ts";
import { Jobs } from "../src/io/process/jobs.ts";
import { detectSandbox } from "../src/io/sandbox/sandbox.ts";
import { openStore } from "../src/io/store/store.ts";
import type { Action } from "../src/protocol/action.ts";
import { textResult } from "../src/protocol/result.ts";
import { measure, table } from "./measure.ts";

export async function wholeGateBench(folder: string): Promise<string> {
  const opened = openGate(folder);
  let serial = 0;
  const pass = (action: Action) => () =>
    opened.gate.pass(
      { id: `call-${(serial += 1)}`, tool: action.kind, action, origin: "model" },
      async () => textResult("done"),
      new AbortController().signal,
    );
  const shell = (command: string): Action => ({ kind: "shell", command, background: false });
  const rounds = { rounds: 500 };
  const samples = [
    await measure("read a file", pass({ kind: "read", path: "a.ts" }), rounds),
    await measure("run git status", pass(shell("git status")), rounds),
    await measure(
      "write a file",
      pass({ kind: "change", changes: [{ op: "write", path: "b.ts", content: "b" }] }),
      rounds,
    ),
    await measure("a call that is denied", pass(shell("sudo id")), rounds),
  ];
  opened.close();
  return table("the whole gate, without the tool", samples);
}

function openGate(folder: string): { gate: Gate; close(): void } {
  const [workspace = "", temporary = "", own = ""] = ["work", "tmp", "own"].map((name) => path.join(folder, name));
  for (const each of [workspace, temporary, own]) mkdirSync(each, { recursive: true });
  writeFileSync(path.join(workspace, "a.ts"), "export const a = 1;\n");
  const store = openStore(path.join(own, "state.db"));
  store.createSession({ id: "bench", workspace, cwd: workspace, at: Date.now(), model: "m" });
  const ledger = openLedger({ folder: path.join(own, "ledger"), store, key: () => loadKeyPair(own), actor: "bench" });
  const facts = createFacts({ workspace, home: folder, temporary, own: [own], env: process.env });
  const firewall = createFirewall(new Uint8Array(32));
  const sandbox = detectSandbox({ enabled: true, cacheFolder: own });
  const fence = createFence({
    ...{ workspace, temporary, own: [own], sandbox, jobs: new Jobs(), spills: own, env: {}, firewall },
    limits: { commandMs: () => 1000, head: 1000, tail: 1000, spillBytes: 1000 },
    masked: () => [],
    fetch: async (url) => ({ url, status: 200, contentType: "text/plain", text: "", truncated: false }),
  });
  const gate = createGate({
    ...{ facts, ledger, firewall, fence },
    session: {
      session: "bench",
      turn: () => 1,
      context: () => fixedContext,
      append: (fact) => void store.append("bench", fact),
    },
    approver: { ask: async () => ({ kind: "unanswered", why: "headless" }) },
    clock: Date.now,
    approvalTimeoutMs: () => 1000,
    preview: async () => undefined,
    random: () => "nonce",
  });
  return {
    gate,
    close() {
      ledger.close();
      store.close();
    },
  };
}
