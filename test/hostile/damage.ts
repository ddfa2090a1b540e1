// State that tests damage.
import path from "node:path";
import { messagesOf, write } from "../scenarios/scene.ts";

/** Every turn: one change, then an answer. */
export const turns = (request: Parameters<typeof messagesOf>[0]) =>
  messagesOf(request).at(-1)?.role === "tool"
    ? { say: "Done." }
    : { calls: [write("a.txt", `${request.index}\n`)], usage: { input: 1000, output: 10 } };

export const ledger = (state: string) => path.join(state, "ledger");

export const segment = (state: string) => path.join(ledger(state), "000001.jsonl");
