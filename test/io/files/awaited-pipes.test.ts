// Whoever waits for a pipe in the place of a file that git reads for its name is woken; nothing else is touched.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { endAwaitedPipes } from "../../../src/io/files/awaited-pipes.ts";
import { temporaryFolder } from "../../support/folders.ts";

/** A reader that waits for the pipe until its end. */
function reader(pipe: string) {
  const child = spawn("cat", [pipe], { stdio: "ignore" });
  onTestFinished(() => void child.kill("SIGKILL"));
  return { ended: () => child.exitCode !== null, end: new Promise((resolve) => child.once("exit", resolve)) };
}

test("a pipe inside is ended, also by a link that stays there; what a link finds outside is not opened", async () => {
  const root = temporaryFolder();
  const at = (name: string) => path.join(root, name);
  for (const folder of ["w/sub", "w/.git/info", "outside"]) mkdirSync(at(folder), { recursive: true });
  execFileSync("mkfifo", ["w/.git/info/exclude", "w/a.pipe", "w/data", "outside/pipe"].map(at));
  symlinkSync("../a.pipe", at("w/sub/.gitignore"));
  symlinkSync("../outside/pipe", at("w/.gitignore"));
  const [exclude, linked] = [reader(at("w/.git/info/exclude")), reader(at("w/a.pipe"))];
  const [data, outside] = [reader(at("w/data")), reader(at("outside/pipe"))];
  const done = endAwaitedPipes(at("w"));
  onTestFinished(done);
  await Promise.all([exclude.end, linked.end]);
  await sleep(200);
  expect([data.ended(), outside.ended()]).toEqual([false, false]);
});
