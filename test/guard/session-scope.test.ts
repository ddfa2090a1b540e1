// "Approve for this session", clause by clause (spec §3, approve).
import { symlinkSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { assess } from "../../src/guard/assess/assess.ts";
import type { Facts } from "../../src/guard/contract/ports.ts";
import { sessionScope } from "../../src/guard/permits/session.ts";
import type { Action } from "../../src/protocol/action.ts";
import type { Client } from "../../src/protocol/client.ts";
import { makeWorld, prompt } from "../engine/world.ts";
import { openWorld, type TestWorld } from "./world.ts";

let world: TestWorld;
beforeEach(() => {
  world = openWorld();
  world.put("run.sh", "#!/bin/sh\necho one\n");
  world.put("other.sh", "#!/bin/sh\necho one\n");
});
afterEach(() => world.close());

function scope(command: string, facts: Facts = world.facts, background = false): string | undefined {
  facts.refresh?.();
  const action: Action = { kind: "shell", command, background };
  return sessionScope(action, assess(action, facts), facts);
}

test("it is offered for a known file of the workspace, and the same call has the same scope", () => {
  expect(scope("./run.sh build --fast a")).toBeDefined();
  expect(scope("./run.sh build --fast a")).toBe(scope("./run.sh build --fast a"));
});

test.each([
  ["program", "./other.sh build --fast a"],
  ["subcommand", "./run.sh clean --fast a"],
  ["flags", "./run.sh build --slow a"],
  ["one flag more", "./run.sh build --fast --force a"],
  ["literal operands", "./run.sh build --fast b"],
  ["one operand more", "./run.sh build --fast a b"],
  ["a second command", "./run.sh build --fast a; ./other.sh"],
  ["the folder, by cd", "cd sub && ../run.sh build --fast a"],
])("it binds the %s", (_, other) => {
  expect(scope(other)).not.toBe(scope("./run.sh build --fast a"));
});

test("it binds the folder", () => {
  const elsewhere: Facts = { ...world.facts, workspace: "/elsewhere" };
  expect(scope("cp a b", elsewhere)).not.toBe(scope("cp a b"));
});

test("a program that no shell sees is bound by its words", () => {
  const of = (...argv: string[]) => {
    const action: Action = { kind: "program", argv };
    return sessionScope(action, assess(action, world.facts), world.facts);
  };
  expect(of("git", "commit", "-m", "$x *")).toBeDefined();
  expect(of("git", "commit", "-m", "a b")).not.toBe(of("git", "commit", "-m", "a", "b"));
});

test("it binds the background", () => {
  expect(scope("./run.sh a", world.facts, true)).not.toBe(scope("./run.sh a"));
});

test("it binds the content of every file executed", () => {
  const before = scope("./run.sh a; ./other.sh");
  world.put("other.sh", "#!/bin/sh\necho two\n");
  const changed = scope("./run.sh a; ./other.sh");
  expect(changed).toBeDefined();
  expect(changed).not.toBe(before);
});

test.each(["Makefile", "package.json", "vitest.config.ts", "meson.build", ".npmrc", ".cargo/config.toml"])(
  "it binds %s, which says what a target does",
  (name) => {
    const without = scope("./run.sh a");
    world.put(name, "one");
    const made = scope("./run.sh a");
    world.put(name, "two");
    expect(new Set([without, made, scope("./run.sh a"), undefined]).size).toBe(4);
  },
);

test.each(["make -C web lint", "make --directory=docs -Cweb lint", "cd docs/.. && cd web && ./run.sh a"])(
  "%s: it binds what says so in the folders that it goes to, not the sources there",
  (command) => {
    world.put("docs/a.md", "one");
    world.put("web/Makefile", "lint:\n\tclang-format a\n");
    world.put("web/run.sh", "#!/bin/sh\necho one\n");
    const before = scope(command);
    world.put("web/a.c", "one");
    expect(scope(command)).toBe(before);
    world.put("web/Makefile", "lint:\n\tyapf a\n");
    expect(new Set([before, scope(command), undefined]).size).toBe(3);
  },
);

test("it binds what a link leads to", () => {
  world.put("real.mk", "one");
  symlinkSync("real.mk", path.join(world.workspace, "Makefile"));
  const before = scope("./run.sh a");
  world.put("real.mk", "two");
  expect(new Set([before, scope("./run.sh a"), undefined]).size).toBe(3);
});

test.each([
  ["interpreters", "python3 x.py"],
  ["interpreters", "bash run.sh"],
  ["interpreters", "node -e 'x()'"],
  ["interpreters", "sh -c './run.sh a'"],
  ["installs", "npm install left-pad"],
  ["installs", "pip install x"],
  ["installs", "npx cowsay"],
  ["network", "curl https://example.com/"],
  ["network", "git fetch"],
  ["push", "git push origin main"],
  ["push", "npm publish"],
  ["delete", "rm run.sh"],
  ["delete", "find . -name '*.o' -delete"],
  ["delete", "git rm run.sh"],
  ["run-later files", "cp run.sh Makefile"],
  ["run-later files", "echo x > package.json"],
  ["what is not known beforehand", "./run.sh $X"],
  ["what is not known beforehand", "./$X a"],
  ["patterns, which are no literal operands", "./run.sh *.c"],
  ["patterns, which are no literal operands", "cp src/[ab].c out/"],
  ["programs whose content nobody knows", "frobnicate a"],
  ["programs whose content nobody knows", "./missing a"],
  ["more words than can be followed", `./run.sh ${Array.from({ length: 300 }, (_, at) => `w${at}`).join(" ")}`],
  ["any of these in company", "./run.sh a && npm install left-pad"],
])("it is never offered for %s: %s", (_, command) => {
  expect(scope(command)).toBeUndefined();
});

/** One turn behind fact `seq`: how many questions there were, and the last fact. */
async function turn(client: Client, answer: "session" | "approve", seq = 0): Promise<{ asked: number; seq: number }> {
  await client.send({ type: "prompt.send", prompt: prompt("go") });
  let asked = 0;
  let last = seq;
  for await (const event of client.events(seq)) {
    if ("seq" in event) last = event.seq;
    if (event.type === "approval.asked") {
      asked += 1;
      await client.send({ type: "approval.answer", nonce: event.request.nonce, answer: { kind: answer } });
    }
    if (event.type === "turn.ended") break;
  }
  return { asked, seq: last };
}

test("it ends with the process, though the session goes on, and another session does not inherit it", async () => {
  let round = 0;
  await using one = await makeWorld(
    () => {
      round += 1;
      return round % 3 === 0 ? { say: "Done." } : { calls: [{ name: "shell", input: { command: "./run.sh a" } }] };
    },
    // On layers the script would run without a question.
    { files: { "run.sh": "#!/bin/sh\necho one\n" }, env: { FETTLE_SANDBOX_CONTAINMENT: "off" } },
  );
  const first = one.client({ headless: false });
  const { asked, seq } = await turn(first, "session");
  expect(asked).toBe(1);
  const { id } = await first.read("session.view", {});
  expect((await turn(one.client({ headless: false }), "approve")).asked).toBe(2);
  await first.close();
  const resumed = one.client({ headless: false, session: { kind: "resume", id } });
  expect((await turn(resumed, "approve", seq)).asked).toBe(2);
});
