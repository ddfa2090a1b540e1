// A grant is good for the call that it was made for: handed to any other tool, that one can do nothing of its own.
import { execFileSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { assess } from "../../src/guard/assess/assess.ts";
import { GrantError } from "../../src/guard/contract/grant.ts";
import type { Json } from "../../src/protocol/message.ts";
import { builtinTools } from "../../src/tools/builtin.ts";
import { createRegistry } from "../../src/tools/registry.ts";
import type { Report } from "../../src/tools/tool.ts";
import { openWorld, type TestWorld } from "../guard/world.ts";
import { textIn } from "../../src/base/text-in.ts";

const registry = createRegistry(builtinTools);
const report: Report = {
  output: () => undefined,
  todo: () => undefined,
  ask: async () => undefined,
  recall: async () => "",
  signal: new AbortController().signal,
};

interface Row {
  tool: string;
  input: Json;
  /** Whether what this call asks for has happened, by what it answered or by the world. */
  did: (text: string, world: TestWorld) => boolean;
}

const says = (word: string) => (text: string) => text.includes(word);
const made = (name: string) => (_text: string, world: TestWorld) => existsSync(world.at(name));
const changed = (name: string, from: string) => (_text: string, world: TestWorld) => world.get(name) !== from;
const patch = "*** Begin Patch\n*** Add File: patched.txt\n+new\n*** End Patch";

const rows: Row[] = [
  { tool: "read", input: { path: "read/a.txt" }, did: says("word-of-read") },
  { tool: "read", input: { path: "spill:out-0123456789ab" }, did: says("word-of-spill") },
  { tool: "write", input: { path: "written.txt", content: "x" }, did: made("written.txt") },
  {
    tool: "edit",
    input: { path: "edit/a.txt", old_string: "before", new_string: "after" },
    did: changed("edit/a.txt", "before\n"),
  },
  { tool: "apply_patch", input: { patch }, did: made("patched.txt") },
  { tool: "glob", input: { pattern: "*", path: "glob" }, did: says("found-by-glob") },
  { tool: "grep", input: { pattern: "word-of-grep", path: "grep" }, did: says("a.txt") },
  { tool: "list", input: { path: "list" }, did: says("found-by-list") },
  { tool: "shell", input: { command: "echo x > shell.txt" }, did: made("shell.txt") },
  { tool: "shell", input: { command: "echo x > other.txt" }, did: made("other.txt") },
  { tool: "shell", input: { command: "echo x > background.txt", background: true }, did: made("background.txt") },
  { tool: "git", input: { args: ["add", "git/a.txt"] }, did: made(".git/index") },
  {
    tool: "job",
    input: { job: "job1", kill: true },
    did: (_text, world) => world.jobs.list().some(({ state }) => state !== "running"),
  },
  { tool: "fetch", input: { url: "https://host.example/" }, did: says("from the web") },
];

function openFull(): TestWorld {
  const world = openWorld({ sandboxEnabled: false });
  execFileSync("git", ["init", "--quiet"], { cwd: world.workspace });
  world.put("read/a.txt", "word-of-read\n");
  world.put("git/a.txt", "");
  world.put("edit/a.txt", "before\n");
  world.put("glob/found-by-glob", "");
  world.put("grep/a.txt", "word-of-grep\n");
  world.put("list/found-by-list", "");
  world.put("../spills/out-0123456789ab", "word-of-spill");
  return world;
}

/** What a tool answers when it works with the grant of another call. */
async function attempt(world: TestWorld, row: Row, granted: Row): Promise<string> {
  const of = (one: Row) => {
    const parsed = registry.parse(one.tool, one.input);
    if ("problem" in parsed) throw new Error(parsed.problem);
    return parsed;
  };
  const [own, other] = [of(row), of(granted)];
  world.facts.refresh?.();
  const grant = world.grant(other.action, assess(other.action, world.facts));
  try {
    const result = await own.tool.run(own.input as never, grant, report);
    return textIn(result.parts, "\n");
  } catch (error) {
    if (error instanceof GrantError) return "refused";
    throw error;
  }
}

const nameOf = ({ tool, input }: Row) => `${tool} ${JSON.stringify(input)}`;

test("every tool that has a hand in a grant is among the rows", () => {
  const without = new Set(["todo", "ask", "recall"]);
  expect([...new Set(rows.map(({ tool }) => tool))].toSorted()).toEqual(
    builtinTools.flatMap(({ name }) => (without.has(name) ? [] : [name])).toSorted(),
  );
});

test.each(rows.map((row) => [nameOf(row), row] as const))(
  "%s: nothing with any other grant, all with its own",
  async (_name, row) => {
    const world = openFull();
    if (row.tool === "job")
      world.jobs.start(
        {
          argv: ["/bin/sleep", "30"],
          cwd: world.workspace,
          env: {},
          timeoutMs: 60_000,
          head: 10,
          tail: 10,
          spill: world.at("../spills/x"),
          spillLimit: 10,
        },
        { command: "sleep" },
        () => undefined,
      );
    for (const granted of rows) {
      // The same command line would be the same act.
      if (granted === row) continue;
      const text = await attempt(world, row, granted);
      expect([nameOf(granted), row.did(text, world)]).toEqual([nameOf(granted), false]);
      // What the other call asked for was granted, and may have happened in its stead.
      for (const left of ["shell.txt", "other.txt", "background.txt", ".git/index"])
        rmSync(world.at(left), { force: true });
    }
    expect(row.did(await settled(world, row), world)).toBe(true);
    await world.close();
  },
);

async function settled(world: TestWorld, row: Row): Promise<string> {
  const text = await attempt(world, row, row);
  for (let look = 0; look < 100 && !row.did(text, world); look += 1) await sleep(10);
  return text;
}

test("a grant of a call that touches nothing lets nobody do anything", async () => {
  const world = openFull();
  for (const row of rows) {
    const grant = world.grant({ kind: "none" }, assess({ kind: "none" }, world.facts));
    const parsed = registry.parse(row.tool, row.input);
    if ("problem" in parsed) throw new Error(parsed.problem);
    const answer = await parsed.tool.run(parsed.input as never, grant, report).then(
      (result) => JSON.stringify(result.parts),
      (error: unknown) => {
        expect(error, nameOf(row)).toBeInstanceOf(GrantError);
        return "";
      },
    );
    if (row.tool !== "job") expect([nameOf(row), row.did(answer, world)]).toEqual([nameOf(row), false]);
  }
  await world.close();
});
