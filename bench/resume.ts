// What it takes to go on with a session of 50,000 events.
import path from "node:path";
import { Session } from "../src/engine/session/session.ts";
import { openStore } from "../src/io/store/store.ts";
import type { Fact } from "../src/protocol/event.ts";
import type { Usage } from "../src/protocol/message.ts";
import { measure, table } from "./measure.ts";

const events = 50_000;
const roundsOfTurn = 20;
const usage: Usage = { input: 1000, output: 100, cacheRead: 0, cacheWrite: 0, reasoning: 0 };

function* turnFacts(turn: number): Generator<Fact> {
  const prompt = [{ type: "text" as const, text: `Look at part ${turn} and say what it does.` }];
  yield { type: "turn.started", turn, prompt, origin: "person" };
  yield { type: "prompt.joined", turn, prompt, origin: "person" };
  for (let round = 1; round <= roundsOfTurn; round += 1) {
    const call = `call-${turn}-${round}`;
    const name = "read";
    const ask = { type: "call" as const, id: call, name, input: { path: `src/part${round}.ts` } };
    yield {
      ...{
        type: "round.ended",
        turn,
        round,
        vendor: "bench",
        model: "bench/model",
        usage,
        cost: 100,
        finish: "calls",
        ms: 1,
      },
      content: [{ type: "text", text: `I look at part ${round} next.` }, ask],
    };
    const text = `${round}\texport const value = ${turn};\n`.repeat(20);
    yield {
      type: "call.ended",
      turn,
      call,
      tool: name,
      result: { status: "done", parts: [{ type: "text", text }] },
      ms: 1,
    };
  }
  yield { type: "turn.ended", turn, stop: { kind: "done", text: "Done." }, usage, cost: 100 };
}

export async function resumeBench(folder: string): Promise<string> {
  const store = openStore(path.join(folder, "state.db"));
  const id = "bench";
  store.createSession({ id, workspace: folder, cwd: folder, at: 1, model: "bench/model" });
  let count = 0;
  store.database.transaction(() => {
    for (let turn = 1; count < events; turn += 1) {
      for (const fact of turnFacts(turn)) {
        store.append(id, fact);
        count += 1;
      }
    }
  });
  const read = await measure(`read ${count} events`, () => store.facts(id), { rounds: 5 });
  const resume = await measure("resume the session", () => Session.open(id, store), { rounds: 5 });
  store.close();
  return table("resume", [read, resume]);
}
