// A real program in a world that shows every change: files with their modes, processes by a word, requests to a host.
import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Fault } from "../../src/base/fault.ts";
import type { Client, Command } from "../../src/protocol/client.ts";
import type { OpenFlags } from "../../src/protocol/open.ts";
import { makeWorld, prompt, type World } from "../engine/world.ts";
import type { ScriptedCall } from "../support/wire/step.ts";
import { type RawServer, startRawServer } from "../support/raw-server.ts";

/** Stands in every command line that is tried, so that a process which it left is found. */
export const mark = "canary-7f3a";

export interface Canary extends AsyncDisposable {
  world: World;
  client: Client;
  host: RawServer;
  home: string;
  /** The model's next answer is this call, then a word. */
  calls(call: ScriptedCall): Promise<void>;
  send(command: Command): Promise<Fault | undefined>;
  /** From here on a policy of the person denies every effect. */
  forbidAll(): void;
  /** What `work` changed: files, requests, processes; and what it left in the ledger. */
  watch(work: () => Promise<unknown>): Promise<Seen>;
}

export interface Seen {
  /** Paths below the home folder. */
  files: string[];
  requests: number;
  processes: number;
  denied: number;
  begun: number;
}

const everything = `[policy]
max_autonomy_level = 0
allow_network = false
allow_git_push = false

[[rules]]
action = "deny"
effect = ["read", "write", "delete", "execute", "network", "vcs", "spawn"]
`;

const seed = {
  "notes.txt": "first\n",
  "src/a.ts": "export const a = 1;\n",
  ".env": "TOKEN=not-a-real-one\n",
  "AGENTS.md": "Be careful.\n",
  "package.json": `${JSON.stringify({ scripts: { test: `echo ${mark} > tested` } })}\n`,
};

/** `config`: the person's own configuration. */
export async function makeCanary(flags: Partial<OpenFlags> = {}, config = ""): Promise<Canary> {
  const host = await startRawServer((_request, response) => response.end("from the canary host"));
  const waiting: ScriptedCall[] = [];
  const world = await makeWorld(
    () => {
      const call = waiting.shift();
      return call ? { calls: [call] } : { say: "Done." };
    },
    { files: seed, env: { FETTLE_NETWORK__HOSTS: JSON.stringify([host.host]) }, flags },
  );
  const home = path.dirname(world.folder);
  mkdirSync(path.join(home, ".ssh"));
  writeFileSync(path.join(home, ".ssh", "config"), "Host none\n");
  mkdirSync(path.join(home, ".config", "fettle"), { recursive: true });
  if (config !== "") writeFileSync(path.join(home, ".config", "fettle", "config.toml"), config);
  const client = world.client({ autonomy: 5 });
  const idle = async () => {
    while ((await client.read("session.view", {})).busy) await sleep(10);
  };
  const send = async (command: Command): Promise<Fault | undefined> => {
    try {
      await client.send(command);
      await idle();
      return undefined;
    } catch (error) {
      if (error instanceof Fault) return error;
      throw error;
    }
  };
  const entries = async () => {
    const all = await client.read("audit.entries", { limit: 100_000 });
    const count = (kind: string) => all.filter((entry) => entry["kind"] === kind).length;
    return { denied: count("effect.denied"), begun: count("effect.begin") };
  };
  return {
    ...{ world, client, host, home, send },
    async calls(call) {
      waiting.push(call);
      await send({ type: "prompt.send", prompt: prompt("go on") });
    },
    forbidAll() {
      writeFileSync(path.join(home, ".config", "fettle", "policy.toml"), everything);
    },
    async watch(work) {
      const [files, requests, recorded] = [filesOf(home), host.seen.length, await entries()];
      await work();
      const now = await entries();
      return {
        files: changed(files, filesOf(home)),
        requests: host.seen.length - requests,
        processes: processesOf(mark),
        denied: now.denied - recorded.denied,
        begun: now.begun - recorded.begun,
      };
    },
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]();
      await host.close();
    },
  };
}

/** fettle's own state and cache are its own; all else of the home is the person's. */
const own = new Set([".local", ".cache", "tmp"]);

function filesOf(home: string): Map<string, string> {
  const found = new Map<string, string>();
  const look = (folder: string) => {
    for (const entry of readdirSync(path.join(home, folder), { withFileTypes: true })) {
      const name = path.join(folder, entry.name);
      if (own.has(name)) continue;
      const full = path.join(home, name);
      const { mode } = lstatSync(full);
      if (entry.isDirectory()) look(name);
      const content = entry.isSymbolicLink() ? readlinkSync(full) : entry.isFile() ? readFileSync(full) : "";
      found.set(name, `${mode} ${createHash("sha256").update(content).digest("hex")}`);
    }
  };
  look("");
  return found;
}

const changed = (before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] =>
  [...new Set([...before.keys(), ...after.keys()])].filter((name) => before.get(name) !== after.get(name)).toSorted();

function processesOf(word: string): number {
  return readdirSync("/proc").filter((name) => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return false;
    try {
      return readFileSync(`/proc/${name}/cmdline`, "utf8").includes(word);
    } catch {
      // It has ended.
      return false;
    }
  }).length;
}
