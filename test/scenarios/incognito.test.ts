import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { byResults, jsonLines, makeScene, read, resultText, type Scene, shell, stopOf, those, write } from "./scene.ts";

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
  read(`${words.file}.md`, "read"),
  write("new.md", `${words.written}\n`, "write"),
  shell(`seq 1 9000; echo ${words.command}`, "shell"),
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

test("it asks local models only, unless the person lets others be", async () => {
  const far = { OPENAI_BASE_URL: "https://api.far.example/v1" };
  await using scene = await makeScene(byResults("hi"), { files });
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
  await terminal.enter("/incognito", "nothing is kept");
  await terminal.shows(/incognito ·/);
  await terminal.enter(`${words.prompt}`, words.answer);
  await terminal.enter("/incognito off", "kept again");
  expect(await terminal.exits("/quit\r")).toBe(0);
  expect(leftIn(path.join(scene.home.folder, ".local/state"))).toEqual([]);
});
