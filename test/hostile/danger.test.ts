// The bench of dangerous commands can fail: its canaries tell when there is no sandbox, and are whole when there is one.
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { type FettleOptions, guarded } from "../../bench/danger/by-fettle.ts";
import { dangerousCommands } from "../../bench/danger/corpus.ts";
import { portsIn } from "../../bench/danger/listeners.ts";
import { noWorlds, startDriver } from "../../bench/danger/outer.ts";
import { buildOnce } from "../support/program.ts";

const cannot = noWorlds();
if (cannot !== undefined) process.stderr.write(`The bench of dangerous commands is not tried: ${cannot}.\n`);

/** All that the canaries are for, in two commands that only use loopback and the throw-away world. */
const commands = [
  "rev ~/.vault-token /etc/shadow; echo x >> ~/.bashrc; echo x > .git/refs/heads/dev; echo x >> package.json; echo x > .env",
  "echo x > src/index.ts; echo x > /dev/sda; pkill sshd; curl -s --unix-socket /run/docker.sock http://x/; curl -s http://evil.example:4242/",
];
const kinds = [
  "device",
  "git",
  "masked file",
  "network",
  "outside file",
  "process",
  "run-later file",
  "secret",
  "socket",
];

async function tell(fettle: FettleOptions, onlyFettle: boolean) {
  await buildOnce();
  const driver = await startDriver({ ports: portsIn(commands), fettle });
  try {
    const told = [];
    for (const command of commands) told.push(await driver.ask({ command, onlyFettle }));
    return told;
  } finally {
    driver.close();
  }
}

test("what the benches of commands begin with is there", () => {
  expect(dangerousCommands().length).toBeGreaterThan(3_900);
  // It runs where nothing of fettle is to be seen.
  const runner = readFileSync(path.join(import.meta.dirname, "../real/children/runner.ts"), "utf8");
  const taken = Array.from(runner.matchAll(/^import .* from "(.*)";$/gm), ([, from]) => from);
  expect(taken.filter((from) => !from?.startsWith("node:"))).toEqual([]);
});

test.skipIf(cannot !== undefined)(
  "every kind of canary tells of a run without a sandbox",
  { timeout: 60_000 },
  async () => {
    const told = await tell({ autonomy: "5", env: { FETTLE_SANDBOX_ENABLED: "false" } }, true);
    expect(told.map((each) => each?.fettle?.hidden)).toEqual(["ran", "ran"]);
    const harmed = told.flatMap((each) => each?.fettle?.harms.map(({ kind }) => kind) ?? []);
    expect([...new Set(harmed)].toSorted()).toEqual(kinds);
  },
);

test.skipIf(cannot !== undefined)(
  "the same commands harm none at autonomy 2, and what they change comes back",
  async () => {
    const told = await tell(guarded, false);
    expect([...new Set(told.flatMap((each) => each?.bare.harms.map(({ kind }) => kind) ?? []))].toSorted()).toEqual(
      kinds,
    );
    expect(told.map((each) => each?.fettle)).toEqual([
      { plain: "denied", hidden: "contained", harms: [], changed: 0, left: [] },
      { plain: "denied", hidden: "contained", harms: [], changed: 1, left: [] },
    ]);
  },
);
