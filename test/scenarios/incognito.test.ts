import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import type { RouterExplanation } from "../../src/protocol/router.ts";
import { byResults, call, jsonLines, makeScene, resultText, type Scene, stopOf, those } from "./scene.ts";

const words = {
  prompt: "zanzibar-prompt-words",
  answer: "quetzal-answer-words",
  file: "ocelot-file-words",
  written: "pangolin-written-words",
  command: "axolotl-command-words",
};

function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => path.join(folder, name))
    .filter((file) => statSync(file).isFile());
}

/** Which of the session's words stand in any byte below a folder. */
const leftIn = (folder: string): string[] =>
  filesBelow(folder).flatMap((file) => {
    const text = readFileSync(file).toString("latin1");
    return Object.values(words)
      .filter((word) => text.includes(word))
      .map((word) => `${path.relative(folder, file)}: ${word}`);
  });

const ledgerOf = (scene: Scene) =>
  jsonLines(
    filesBelow(path.join(scene.state(), "ledger"))
      .filter((file) => /\d+\.jsonl$/.test(file))
      .sort()
      .map((file) => readFileSync(file, "utf8"))
      .join(""),
  );

const work = byResults(
  { calls: [call("read", { path: `${words.file}.md` }, "read")] },
  { calls: [call("write", { path: "new.md", content: `${words.written}\n` }, "write")] },
  { calls: [call("shell", { command: `seq 1 9000; echo ${words.command}` }, "shell")] },
  { say: words.answer },
);
const files = { [`${words.file}.md`]: `${words.file}\n`, "plain.md": "x\n" };

test("after an incognito run no byte of it is left, and the ledger says that something was done, not what", async () => {
  await using scene = await makeScene(work, { git: true, files });
  const told = await scene.tell(["--incognito", words.prompt]);
  expect(stopOf(told.events)?.kind).toBe("done");
  expect(resultText(told.events, "read")).toContain(words.file);
  expect(scene.text("new.md")).toBe(`${words.written}\n`);
  for (const folder of [".local/state", ".config", ".cache", "tmp"])
    expect([folder, leftIn(path.join(scene.home.folder, folder))]).toEqual([folder, []]);
  expect(readdirSync(path.join(scene.home.folder, "tmp"))).toEqual([]);
  const acts = ledgerOf(scene).filter(({ kind }) => kind === "effect.begin");
  expect(acts.map(({ tool, incognito }) => [tool, incognito])).toEqual([
    ["read", true],
    ["write", true],
    ["shell", true],
  ]);
  expect(acts[1]).toMatchObject({ risk: "L1", effects: [{ kind: "write", target: "" }] });
  expect((await scene.run(["audit", "verify"])).code).toBe(0);
  expect((await scene.run(["sessions", "list"])).stdout).not.toContain(words.prompt);
  expect((await scene.run(["--continue", "-p", "go on"])).stderr).toContain("no session");
});

test("the same run without it is kept: what is looked for above can be found", async () => {
  await using scene = await makeScene(work, { git: true, files });
  await scene.tell([words.prompt]);
  const found = leftIn(path.join(scene.home.folder, ".local/state")).map((line) => line.split(": ")[1]);
  expect(new Set(found)).toEqual(new Set(Object.values(words)));
});

test("policy may forbid it, by its key; it neither records nor continues", async () => {
  await using scene = await makeScene(byResults({ say: "hi" }), { files });
  const policy = path.join(scene.home.folder, ".config/fettle/policy.toml");
  scene.put("../.config/fettle/policy.toml", "[policy]\nallow_incognito = false\n");
  expect(existsSync(policy)).toBe(true);
  const refused = await scene.run(["-p", "--incognito", "hello"]);
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("policy.allow_incognito = false")]);
  expect(scene.server.requests).toHaveLength(0);
  expect((await scene.run(["-p", "hello"])).code).toBe(0);
  for (const flag of [["--record", "r.jsonl"], ["--continue"], ["--resume", "20260101-abcdef"]]) {
    const { code, stderr } = await scene.run(["-p", "--incognito", ...flag, "hello"]);
    expect([flag[0], code, stderr]).toEqual([flag[0], 2, expect.stringContaining("exclude each other")]);
  }
});

test("it asks local models only, unless the person lets others be", async () => {
  const far = { OPENAI_BASE_URL: "https://api.far.example/v1" };
  await using scene = await makeScene(byResults({ say: "hi" }), { files });
  const refused = await scene.run(["-p", "--incognito", "hello"], { env: far });
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("incognito.local_only")]);
  scene.put("../.config/fettle/config.toml", "[incognito]\nlocal_only = false\n");
  const tried = await scene.run(["-p", "--incognito", "hello"], { env: far });
  expect(tried.stderr).not.toContain("incognito.local_only");
  expect(those((await scene.tell(["--incognito", "hello"])).events, "turn.ended")).toHaveLength(1);
});

test("/incognito begins a session of which nothing is kept, the status says so, and off ends it", async () => {
  await using scene = await makeScene(() => ({ say: words.answer }), { files });
  const terminal = scene.terminal([]);
  await terminal.shows("scripted");
  terminal.type("/incognito\r");
  await terminal.shows("nothing is kept");
  await terminal.shows(/incognito ·/);
  terminal.type(`${words.prompt}\r`);
  await terminal.shows(words.answer);
  terminal.type("/incognito off\r");
  await terminal.shows("kept again");
  terminal.type("/quit\r");
  expect(await terminal.exited).toBe(0);
  expect(leftIn(path.join(scene.home.folder, ".local/state"))).toEqual([]);
});

test("a machine of the private network is local only where the person names it: no repository can, trusted or not", async () => {
  await using scene = await makeScene([], {
    git: true,
    files: { ".fettle/config.toml": '[model]\nlocal_hosts = ["10.1.2.3", "evil.example"]\n' },
  });
  const env = { OPENAI_BASE_URL: "http://10.1.2.3:8000/v1", FETTLE_ROUTER_ARMS: "openai/scripted" };
  await scene.run(["trust", "accept", "-y"], { env });
  const refused = await scene.run(["-p", "--incognito", "x"], { env });
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain("is at 10.1.2.3: on your network, not on this machine");
  expect(refused.stderr).toContain("fettle config set model.local_hosts 10.1.2.3");
  const explained = async (args: readonly string[], more: Record<string, string> = {}) => {
    const { stdout } = await scene.run(["router", "explain", "x", "--model", "auto", "--json", ...args], {
      env: { ...env, ...more },
    });
    return JSON.parse(stdout) as RouterExplanation;
  };
  for (const args of [["--incognito"], ["--profile", "local"]])
    expect((await explained(args)).excluded[0]?.reason).toMatch(
      /^not local: .*, and it is at 10\.1\.2\.3, which model\.local_hosts does not name$/,
    );
  const named = await explained(["--incognito"], { FETTLE_MODEL_LOCAL_HOSTS: "box.local,10.1.2.3" });
  expect(named.candidates.map(({ arm }) => arm)).toEqual(["openai/scripted"]);
});
