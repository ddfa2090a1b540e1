import { readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { writeTrust } from "../../src/io/config/trust.ts";
import { Database } from "../../src/io/store/database.ts";
import { makeScene } from "./scene.ts";

test("of two repositories that are accepted at once, both are", async () => {
  await using scene = await makeScene([]);
  scene.put(".fettle/config.toml", '[network]\nhosts = ["docs.example"]\n');
  const state = path.join(scene.home.folder, ".local/state/fettle");
  const turns = new Database(path.join(state, "trust.db"), []);
  turns.script("begin immediate");
  const accepting = await scene.start(["trust", "accept", "--yes"]);
  const first = await Promise.race([accepting.exited.then(() => "done"), sleep(1_500, "waits")]);
  expect(first).toBe("waits");
  writeTrust(state, "/elsewhere", { digest: "d", items: [], at: 1, by: "local:ann" });
  turns.script("commit");
  turns.close();
  expect((await accepting.exited).code).toBe(0);
  const accepted = JSON.parse(readFileSync(path.join(state, "trust.json"), "utf8")) as object;
  expect(Object.keys(accepted).toSorted()).toEqual(["/elsewhere", scene.folder].toSorted());
});
