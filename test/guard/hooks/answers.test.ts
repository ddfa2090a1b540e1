// Fail closed: whatever a hook that decides does wrong is a denial. Real processes, one table.
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { answerOf } from "../../../src/guard/hooks/answer.ts";
import type { HookSettings } from "../../../src/io/config/setting-kinds.ts";
import { seatbeltProfile } from "../../../src/io/sandbox/seatbelt.ts";
import { sandboxHere } from "../../support/sandbox.ts";
import { hookOf, openHooks } from "./world.ts";

const own: readonly [
  what: string,
  command: string,
  verdict: "allow" | "deny" | "ask",
  text: RegExp,
  more?: Partial<HookSettings>,
][] = [
  ["abstains in JSON", `echo '{"action":"abstain"}'`, "allow", /./],
  ["allows: no more than abstaining", `echo '{"action":"allow"}'`, "allow", /./],
  ["denies", `echo '{"action":"deny","reason":"not on Fridays"}'`, "deny", /not on Fridays/],
  ["denies in Claude's words", `echo '{"decision":"block","reason":"blocked"}'`, "deny", /blocked/],
  ["stops everything in Claude's words", `echo '{"continue":false,"stopReason":"halt"}'`, "deny", /halt/],
  ["denies and allows at once", `echo '{"action":"allow","decision":"block"}'`, "deny", /refuses/],
  [
    "asks",
    `echo '{"hookSpecificOutput":{"permissionDecision":"ask","permissionDecisionReason":"sure?"}}'`,
    "ask",
    /sure\?/,
  ],
  ["exits 2 with a reason", "echo no such luck >&2; exit 2", "deny", /no such luck/],
  ["says nothing", "true", "deny", /answered nothing/],
  ["prints words", "echo all good", "deny", /no JSON object/],
  ["prints JSON that is no object", `echo '"deny"'`, "deny", /no JSON object/],
  ["prints half an answer", `echo '{"action":"abstain"'`, "deny", /no JSON object/],
  ["prints two answers", `echo '{"action":"abstain"}{"action":"abstain"}'`, "deny", /no JSON object/],
  ["answers an unknown word", `echo '{"action":"alow"}'`, "deny", /not one of/],
  ["misspells the key", `echo '{"acton":"deny"}'`, "deny", /unknown key acton/],
  ["answers an empty object", `echo '{}'`, "deny", /no action/],
  ["transforms into nothing", `echo '{"action":"transform"}'`, "deny", /without an input/],
  ["exits 1", `echo '{"action":"abstain"}'; exit 1`, "deny", /exit code 1/],
  ["is missing", "no-such-program-anywhere", "deny", /exit code 127/],
  ["is a script that is missing", "python3 ~/gone.py", "deny", /not run: .*gone\.py does not exist/],
  ["is a missing script of the repository", "sh tools/gone.sh", "deny", /gone\.sh does not exist/],
  ["cannot be executed", "/etc", "deny", /exit code 126/],
  ["does not end", `echo '{"action":"abstain"}'; sleep 60`, "deny", /within 1 s/, { timeout_secs: 1 }],
  ["ends, but leaves a process behind", `echo '{"action":"abstain"}'; sleep 60 & exit 0`, "allow", /./],
  ["kills itself", "python3 -c 'import os; os.kill(os.getpid(), 9)'", "deny", /killed/],
  ["prints without end", `yes '{"action":"abstain"}' | head -c 400000`, "deny", /more than is read/],
  ["is one that no command may be", "sudo true", "deny", /not run: Never allowed/],
  ["is Python with an uncaught error", `python3 -c 'raise ValueError("x")'`, "deny", /exit code 1: ValueError: x/],
];

describe.skipIf(!sandboxHere)("a hook that", () => {
  test.each(own)("%s", async (...row) => {
    const [, command, verdict, text, more = {}] = row;
    const set = openHooks([hookOf(command, more)]);
    try {
      const { decision, result } = await set.send("ls");
      expect(decision.verdict).toBe(verdict);
      if (verdict !== "allow") {
        expect(decision).toMatchObject({ rule: "hooks.one", text: expect.stringMatching(text) });
        expect(result.status).not.toBe("done");
      }
      const runs = set.recorded.filter(({ kind, tool }) => kind !== "note" && tool === "hook one");
      expect(runs).toHaveLength(/does not exist/.test(text.source) ? 0 : 1);
      expect(set.recorded).toContainEqual(expect.objectContaining({ kind: "note", name: "hook.ran" }));
    } finally {
      await set.close();
    }
  });

  test.each([
    ["exits 1", "exit 1"],
    ["says nothing", "true"],
    ["is missing", "no-such-program-anywhere"],
    ["denies", `echo '{"action":"deny"}'`],
  ])("decides nothing and %s changes nothing", async (_what, command) => {
    const set = openHooks([hookOf(command, { deciding: false })]);
    try {
      expect((await set.send("ls")).decision.verdict).toBe("allow");
    } finally {
      await set.close();
    }
  });

  test("is written for Claude Code may say nothing, but must not break", async () => {
    const verdicts: Record<string, string> = {};
    for (const command of ["true", "echo '{}'", "echo '{\"new\":1}'", "echo hello", "exit 1", "exit 2"]) {
      const set = openHooks([hookOf(command, { dialect: "claude" })]);
      verdicts[command] = (await set.send("ls")).decision.verdict;
      await set.close();
    }
    expect(verdicts).toEqual({
      true: "allow",
      "echo '{}'": "allow",
      "echo '{\"new\":1}'": "allow",
      "echo hello": "deny",
      "exit 1": "deny",
      "exit 2": "deny",
    });
  });
});

describe.skipIf(!sandboxHere)("a hook runs", () => {
  let set: ReturnType<typeof openHooks>;
  const report = `import json, os, sys
call = json.load(open("/dev/stdin"))
def works(act):
    try:
        act()
        return True
    except OSError:
        return False
home = os.environ["HOME"]
found = {
  "workspace": os.path.exists("seen.txt"),
  "writes": works(lambda: open("new.txt", "w")),
  "temporary": works(lambda: open(os.environ["TMPDIR"] + "/x", "w")),
  "home": works(lambda: open(home + "/notes.txt").read()),
  "keys": works(lambda: open(home + "/.ssh/id").read()),
  "own": works(lambda: open("OWN/key").read()),
  "project": os.environ["CLAUDE_PROJECT_DIR"] == os.environ["FETTLE_PROJECT_DIR"] == os.getcwd(),
  "secrets": [name for name in os.environ if "TOKEN" in name],
}
print(json.dumps({"action": "deny", "reason": json.dumps(found, sort_keys=True)}))
`;
  beforeAll(() => {
    process.env["HOOK_TEST_TOKEN"] = "hush";
  });
  afterAll(() => {
    delete process.env["HOOK_TEST_TOKEN"];
  });

  const seen = async (homeRead: boolean): Promise<Record<string, unknown>> => {
    const hook = hookOf("", { home_read: homeRead });
    set = openHooks([hook]);
    try {
      const { world } = set;
      hook.command = `python3 ${set.script("report.py", report.replace("OWN", world.own))}`;
      world.put("seen.txt", "");
      mkdirSync(path.join(world.home, ".ssh"));
      for (const file of ["notes.txt", ".ssh/id"]) writeFileSync(path.join(world.home, file), "x");
      writeFileSync(path.join(world.own, "key"), "x");
      const { decision } = await set.send("ls");
      return JSON.parse(decision.text.replace(/^[^{]*/, "")) as Record<string, unknown>;
    } finally {
      await set.close();
    }
  };
  const always = {
    workspace: true,
    writes: false,
    temporary: true,
    keys: false,
    own: false,
    project: true,
    secrets: [],
  };

  test("in the sandbox, its own script visible, the home folder not", async () => {
    expect(await seen(false)).toEqual({ ...always, home: false });
  });

  test("with the home folder where that was granted, but not its keys", async () => {
    expect(await seen(true)).toEqual({ ...always, home: true });
  });
});

test("without a sandbox a person's own hook runs and is told, a repository's denies", async () => {
  const mine = openHooks([hookOf(`echo '{"action":"deny","reason":"mine"}'`)], { sandboxEnabled: false });
  expect((await mine.send("ls")).decision.text).toContain("mine");
  expect(mine.facts).toContainEqual(expect.objectContaining({ type: "notice.given", code: "hook.unboxed" }));
  await mine.close();
  const theirs = openHooks([hookOf(`touch ran; echo '{"action":"abstain"}'`, { origin: "project" })], {
    sandboxEnabled: false,
  });
  expect((await theirs.send("ls")).decision).toMatchObject({
    verdict: "deny",
    text: expect.stringContaining("only in a sandbox"),
  });
  expect(theirs.recorded.filter(({ kind }) => kind === "begin")).toEqual([]);
  await theirs.close();
});

test("on a Mac the profile shows the same: the script's folder, the home where granted, never its keys", () => {
  const spec = { workspace: "/w", cwd: "/w", readOnly: true, writable: ["/t"], masked: [], own: [] };
  const profile = (readable: string[]) =>
    seatbeltProfile(
      { ...spec, readable, network: false, gitWritable: false },
      { home: "/Users/ada", env: {}, empty: "/e" },
    );
  const home = profile(["/Users/ada"]).split("\n");
  const [hidden, shown, keys] = [
    home.findIndex((line) => /deny file-read\*/.test(line) && line.includes('"/Users/ada"')),
    home.findIndex((line) => /allow file-read\* /.test(line) && line.includes('(subpath "/Users/ada")')),
    home.findIndex((line) => /deny file-read\* file-write\*/.test(line) && line.includes('"/Users/ada/.ssh"')),
  ];
  expect([hidden >= 0, hidden < shown, shown < keys]).toEqual([true, true, true]);
  expect(profile(["/Users/ada/hooks"])).not.toContain(".ssh");
});

test("what sends the model back to work it reads in full, a refusal's reason in one line", () => {
  const long = Array.from({ length: 100 }, (_, at) => `error in line ${at}`).join("\n");
  const run = { ended: "exited", code: 0, stdout: "", stderr: "", cut: false, ms: 1 } as const;
  const blocks = { ...run, stdout: JSON.stringify({ decision: "block", reason: long }) };
  expect(answerOf(hookOf("x", { event: "stop" }), blocks).reason).toBe(long);
  expect(answerOf(hookOf("x", { event: "stop" }), { ...run, code: 2, stderr: long }).reason).toBe(long);
  expect(answerOf(hookOf("x", { event: "after_tool", deciding: false }), blocks).context).toBe(long);
  const refusal = answerOf(hookOf("x"), blocks).reason;
  expect(refusal).toMatch(/^error in line 0 error in line 1 .*…$/);
  expect(refusal.length).toBeLessThanOrEqual(500);
});
