import path from "node:path";
import { openStore } from "../src/io/store/store.ts";
import { measure, table } from "./measure.ts";

export async function storeBench(folder: string): Promise<string> {
  const store = openStore(path.join(folder, "state.db"));
  store.createSession({ id: "bench", workspace: folder, cwd: folder, at: Date.now(), model: "none" });
  const text = "x".repeat(2000);
  const append = await measure(
    "append a fact of 2 kB, durable",
    () => store.append("bench", { type: "note.added", turn: 1, text }),
    { rounds: 1000 },
  );
  const replay = await measure("read back 1,100 facts", () => store.facts("bench"), { rounds: 20 });
  store.close();
  const open = await measure("open an existing database", () => openStore(path.join(folder, "state.db")).close(), {
    rounds: 50,
  });
  return table("store", [append, replay, open]);
}
