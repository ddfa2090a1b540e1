// Keys, copies, settings and doctor, on what real runs have left.
import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { byResults, json, makeScene, oneRefused, shell, those, write } from "../../scenarios/scene.ts";

test("of two new keys at once, one follows the other: neither follows the one before both", async () => {
  await using scene = await makeScene(oneRefused);
  await scene.run(["-p", "write the file"]);
  const state = path.join(scene.home.folder, ".local/state/fettle");
  const key = readFileSync(path.join(state, "ledger-key"), "utf8");
  const first = new DatabaseSync(path.join(state, "key-rotation.db"));
  first.exec("begin immediate");
  const second = await scene.start(["audit", "key", "--rotate"]);
  await sleep(1_000);
  expect(readFileSync(path.join(state, "ledger-key"), "utf8")).toBe(key);
  first.exec("rollback");
  first.close();
  expect((await second.exited).code).toBe(0);
  expect(readFileSync(path.join(state, "ledger-key"), "utf8")).not.toBe(key);
});

test("copies of checkpoints that have no place are refused in one sentence", async () => {
  await using scene = await makeScene(oneRefused);
  await scene.run(["-p", "write the file"]);
  // Of a folder in /proc Node's own recursion never tells that it cannot be made.
  for (const place of ["/dev/null/copies", "/proc/copies"]) {
    const copied = await scene.run(["audit", "checkpoint", "--to", place]);
    expect(copied).toMatchObject({ code: 2, stderr: expect.stringContaining(`fettle: ${place} cannot be made (E`) });
  }
});

test("a value that is set is got, shown with its origin, in force, and may be overruled", async () => {
  await using scene = await makeScene(({ index }) => shell(`echo ${index}`));
  expect(await scene.run(["config", "set", "limits.rounds", "3"])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^limits\.rounds = 3 +user/),
  });
  expect((await scene.run(["config", "get", "limits.rounds"])).stdout).toMatch(/^3\b/);
  const shown = (await json(scene, "config", "show")) as { key: string; value: unknown; origin: string }[];
  const row = (key: string) => shown.find((value) => value.key === key);
  expect(row("limits.rounds")).toMatchObject({ value: 3, origin: expect.stringContaining("config.toml") });
  expect(row("autonomy.level")).toMatchObject({ value: 2, origin: "default" });
  expect((await scene.run(["-p", "go"])).code).toBe(5);
  expect(scene.server.requests).toHaveLength(3);
  expect((await scene.run(["-p", "go"], { env: { FETTLE_LIMITS_ROUNDS: "2" } })).code).toBe(5);
  expect(scene.server.requests).toHaveLength(5);
  expect((await scene.run(["-p", "--max-rounds", "1", "go"])).code).toBe(5);
  expect(scene.server.requests).toHaveLength(6);
  // A project may tighten, not loosen.
  expect((await scene.run(["config", "set", "--project", "limits.rounds", "1"])).code).toBe(0);
  expect(scene.text(".fettle/config.toml")).toMatch(/rounds = 1/);
  expect((await scene.run(["-p", "go"])).code).toBe(5);
  expect(scene.server.requests).toHaveLength(7);
  const unknown = await scene.run(["config", "set", "limits.round", "3"]);
  expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining("limits.rounds") });
  expect((await scene.run(["config", "set", "limits.rounds", "many"])).code).toBe(2);
});

test("models and doctor say what there is, and what to do about the rest", async () => {
  await using scene = await makeScene([]);
  const models = (await json(scene, "models")) as {
    model: string;
    status: string;
    default: boolean;
    remedy?: string;
  }[];
  expect(models[0]).toMatchObject({ model: "openai/scripted", status: "ready", default: true });
  const anthropic = models.find(({ model }) => model.startsWith("anthropic/"));
  expect(anthropic).toMatchObject({ status: "no-key", remedy: expect.stringContaining("ANTHROPIC_API_KEY") });
  const listed = await scene.run(["models"]);
  expect(listed.stdout).toMatch(/openai\/scripted +ready[^]*not set up: .*anthropic/);
  expect(listed.stdout).not.toContain("ANTHROPIC_API_KEY");
  for (const more of ["--all", "anthropic"])
    expect((await scene.run(["models", more])).stdout).toContain("ANTHROPIC_API_KEY");
  const checks = (await json(scene, "doctor")) as { name: string; status: string; remedy?: string }[];
  const names = ["node", "git", "sandbox", "models", "state folder", "ledger"];
  for (const name of names)
    expect(
      checks.find((check) => check.name === name),
      name,
    ).toBeDefined();
  expect(checks.filter(({ status, remedy }) => status !== "ok" && !remedy)).toEqual([]);
  expect((await scene.run(["doctor"])).code).toBe(0);
  const none = await scene.run(["doctor"], { env: { OPENAI_BASE_URL: "", OPENAI_API_KEY: "", OPENAI_MODEL: "" } });
  expect(none).toMatchObject({ code: 1, stdout: expect.stringContaining("No model can be used.") });
});

test("a recording of a run plays again without its model", async () => {
  await using scene = await makeScene(byResults(write("a.txt", "a\n"), "Wrote it."));
  const recording = path.join(scene.home.folder, "recording.jsonl");
  const first = await scene.tell(["--record", recording, "write the file"]);
  expect(first.code).toBe(0);
  rmSync(scene.at("a.txt"));
  const play = ["--model", `recorded/${recording}`];
  const again = await scene.tell([...play, "write the file"]);
  expect(again.code, again.stdout).toBe(0);
  expect(scene.text("a.txt")).toBe("a\n");
  expect(scene.server.requests).toHaveLength(2);
  expect(those(again.events, "round.ended").at(-1)?.content).toMatchObject([{ text: "Wrote it." }]);
  // What does not fit the recording fails loudly.
  expect(await scene.run(["-p", ...play, "something else"])).toMatchObject({
    ...{ code: 1, stdout: "" },
    stderr: expect.stringContaining("does not fit answer 1 of the recording"),
  });
});
