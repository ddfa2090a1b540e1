// What a newcomer does first: a price, a value that is refused, a file that is broken, a model that nobody offers.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { openBudget } from "../../../src/engine/budget/node.ts";
import { limitedPrice } from "../../../src/engine/budget/calls.ts";
import { defaultSettings } from "../../../src/io/config/settings.ts";
import type { Arm } from "../../../src/model/contract/arm.ts";
import { resolveArm } from "../../../src/model/arms.ts";
import { makeScene } from "../../scenarios/scene.ts";

test("half a price is refused before it is written; both halves are one command", async () => {
  await using scene = await makeScene([]);
  const file = path.join(scene.home.folder, ".config", "fettle", "config.toml");
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, "# mine\n");
  const half = await scene.run(["config", "set", 'prices."openai/new".input', "1000"]);
  expect([half.code, readFileSync(file, "utf8")]).toEqual([2, "# mine\n"]);
  expect((await scene.run(["config", "show"])).code).toBe(0);
  const whole = await scene.run(["models", "price", "openai/new", "1.25", "10"]);
  expect([whole.code, whole.stdout]).toEqual([0, expect.stringContaining('prices."openai/new".output = 10')]);
  expect((await scene.run(["models", "price", "openai/new", "1.25"])).code).toBe(2);
  expect((await scene.run(["models", "--help"])).stdout).toMatch(/^ {2}price <model> <input> <output>/m);
  const nowhere = await scene.run(["config", "set", "model.default", "nowhere/x"]);
  expect([nowhere.code, nowhere.stderr]).toEqual([0, expect.stringContaining("no provider called nowhere")]);
  expect((await scene.run(["config", "set", "model.default", "openai/new"])).stderr).toBe("");
});

test("a broken value locks nobody out: it is told beside what holds, and config set mends it", async () => {
  await using scene = await makeScene([]);
  const folder = path.join(scene.home.folder, ".config", "fettle");
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, "config.toml");
  writeFileSync(file, '[budget]\nsession_limit_usd = "much"\n');
  const shown = await scene.run(["config", "show"]);
  expect([shown.code, shown.stdout, shown.stderr]).toEqual([
    0,
    expect.stringContaining("budget.session_limit_usd"),
    expect.stringContaining("config.toml:2"),
  ]);
  expect((await scene.run(["config", "set", "budget.session_limit_usd", "5"])).code).toBe(0);
  expect(readFileSync(file, "utf8")).toBe("[budget]\nsession_limit_usd = 5\n");
});

test("a provider that does not exist is an error that names those that do; no vendor gets another one's model", async () => {
  const env = { OPENAI_API_KEY: "key" };
  await expect(resolveArm("nope/x", defaultSettings(), env)).rejects.toMatchObject({
    exit: 2,
    message: expect.stringContaining('no provider "nope"'),
    remedy: expect.stringContaining("openai, "),
  });
  await expect(resolveArm("claude-sonnet-4-5", defaultSettings(), env)).rejects.toThrow(/anthropic/i);
});

test("an unknown price is refused under a limit that somebody set, and only there", () => {
  const money = (usual: boolean) => ({
    limited: () => true,
    usual: () => usual,
    left: () => 1e9,
    hold: () => undefined,
  });
  const arm = { name: "openai/new" } as Arm;
  const session = openBudget(money(true)).child("session", "s", 1e7);
  expect(limitedPrice(arm, session)).toBeUndefined();
  expect(() => limitedPrice(arm, session.child("subagent", "a", 1e6))).toThrow("price of openai/new is unknown");
  expect(() => limitedPrice(arm, openBudget(money(false)).child("session", "s", 1e7))).toThrow("unknown");
});
