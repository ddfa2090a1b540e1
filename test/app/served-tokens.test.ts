// Tokens of other agents, made by several processes at once.
import { spawn } from "node:child_process";
import path from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { makeHome } from "../support/program.ts";

test("processes that make tokens at the same time lose none of each other's", async () => {
  const home = makeHome();
  onTestFinished(() => home.remove());
  const child = path.join(import.meta.dirname, "../io/children/served-token.ts");
  const made = async (name: string, count: number): Promise<Record<string, string>> => {
    const args = [child, home.project, name, String(count)];
    const run = spawn(process.execPath, args, { env: home.env, stdio: ["ignore", "pipe", "inherit"] });
    return JSON.parse(await text(run.stdout)) as Record<string, string>;
  };
  const first = await Promise.all(["ann", "bob", "eve"].map((name) => made(name, 20)));
  const again = await Promise.all(["ann", "bob", "eve"].map((name) => made(name, 20)));
  expect(again).toEqual(first);
});
