// Models that stumble as real ones do: each stumble is told, mended and got over, without help from outside.
import { expect, test } from "vitest";
import { call } from "../../../scenarios/scene.ts";
import {
  docsCrew,
  docsFiles,
  docsWords,
  fixed,
  goodCrew,
  type MissionScript,
  nodeFiles,
  plan,
  quickCrew,
  quickPlan,
  say,
  write,
} from "../../../work/task/crew.ts";
import { approve, look, openScene, planned, taskId, transitionCount, words } from "../../../work/task/tasks.ts";

/** A runner of the repository's own, which prints much around what failed, and fails where its helper is not set up. */
const runner = `import assert from "node:assert";
const tests = [];
globalThis.check = (name, body) => tests.push([name, body]);
globalThis.assert = assert;
for (const file of process.argv.slice(2)) await import(new URL("../" + file, import.meta.url));
console.log("TAP version 13");
let bad = 0;
for (const [at, [name, body]] of tests.entries()) {
  try {
    body();
    console.log("ok " + (at + 1) + " " + name);
  } catch (error) {
    bad += 1;
    console.log("not ok " + (at + 1) + " " + name + "\\n  ---\\n  name: " + error.name + "\\n  code: " + error.code);
    console.log("  error: 1.5 became " + error.actual + "\\n  ...");
    for (let line = 0; line < 400; line += 1) console.log("# trace " + line + " of the runner's own, of no use to anybody");
  }
}
console.log("1.." + tests.length);
process.exit(bad > 0 ? 1 : 0);
`;
const ownFiles = {
  ...nodeFiles,
  "package.json": JSON.stringify({ name: "x", type: "module", scripts: { test: "node tools/run.js test/*.check.js" } }),
  "tools/run.js": runner,
  "test/old.check.js": 'import { round } from "../src/round.js";\ncheck("whole", () => assert.equal(round(2), 2));\n',
};
delete (ownFiles as Record<string, string>)["test/old.test.js"];
const ownTest =
  'import { round } from "../src/round.js";\ncheck("a half is rounded up", () => assert.equal(round(1.5), 2));\n';

test("a runner that is not known is the repository's own command; a plan is read as it is meant; what failed reaches the coder; what stands in the way of the merge is awaited", async () => {
  const prompts: string[] = [];
  const first: string[] = [];
  const sloppy = {
    ...plan(),
    files: [
      { path: "./test/round.check.js", action: "create", intent: "shows it" },
      { path: "./src/round.js", action: "modify", intent: "round", note: "an extra key" },
    ],
    test: { path: "./test/round.check.js", subject: "src/round.js" },
    commands: { install: null, compile: null, lint: null, test: "npm test" },
    hosts: null,
    dependencies: null,
    acceptance: { claim: "1.5 becomes 2", command: "npm test" },
    confidence: "true",
  };
  await using scene = await openScene(
    {
      ...quickCrew,
      architect: () => say(`Here is the plan:\n${JSON.stringify(sloppy)}\nThat is all.`),
      verifier: ({ said }) => (said === 0 ? write("test/round.check.js", ownTest) : say("Written.")),
      coder: ({ said, prompt, visit, users }) => {
        if (said > 0) return say("Done.");
        prompts.push(prompt);
        first.push(users[0] ?? "");
        return write("src/round.js", visit === 1 ? "export const round = () => 7;\n" : fixed);
      },
    },
    ownFiles,
  );
  const { id, code, stderr } = await planned(scene);
  const { task } = await look(scene, id);
  expect([code, task.plan?.files.map(({ path }) => path)], stderr).toEqual([
    3,
    ["test/round.check.js", "src/round.js"],
  ]);
  expect(task.evidence?.find(({ tier }) => tier === "unit")?.command).toBe("node tools/run.js test/round.check.js");
  expect(stderr).not.toContain("node --test");
  expect(stderr).not.toContain("does not fit");
  expect(prompts[1]).toContain("error: 1.5 became 7");
  // The repair goes on with the conversation, and says only what is new.
  expect(first).toEqual([prompts[0], prompts[0]]);
  expect(prompts[1]).not.toContain("Carry out this plan");
  scene.put("src/round.js", "export const round = 1;\n");
  const waiting = await approve(scene, id);
  expect([waiting.code, waiting.stderr]).toEqual([
    3,
    expect.stringContaining("Not merged yet: main is checked out and src/round.js is changed there"),
  ]);
  scene.git("checkout", "--quiet", "src/round.js");
  const resumed = await scene.run(["task", "resume", id]);
  expect([resumed.code, resumed.stdout]).toEqual([0, expect.stringContaining("Merged into main")]);
});

test("all that is wrong with a plan is told at once, and a task that comes to nothing names no branch", async () => {
  const told: string[] = [];
  await using scene = await openScene({
    ...goodCrew,
    architect({ prompt }) {
      told.push(prompt);
      return say(
        plan({
          files: [
            { path: "/etc/x", action: "create", intent: "x" },
            { path: "src/none.js", action: "modify", intent: "x" },
            { path: "src/round.js", action: "create", intent: "x" },
          ],
          hosts: ["*.example.org"],
        }),
      );
    },
  });
  const { code, stderr } = await scene.run(["task", words]);
  for (const wrong of ["/etc/x is no path", "src/none.js does not exist", "src/round.js exists", "*.example.org is no"])
    expect(told[1]).toContain(wrong);
  const question = /There is no plan that fits: [^]*What should be otherwise\? Answer it: fettle task answer (\w+)/;
  expect([code, stderr]).toEqual([3, expect.stringMatching(question)]);
  const asked = question.exec(stderr)?.[1] ?? "";
  expect((await scene.run(["task", "answer", asked, "leave /etc alone"])).code).toBe(3);
  expect(told[3]).toContain("The person wants it otherwise: leave /etc alone");
  await using other = await openScene({ ...quickCrew, verifier: () => say("I write nothing.") });
  const { id } = await planned(other);
  expect((await other.run(["task", "cancel", id])).code).toBe(0);
  const shown = await other.run(["task", "show", id]);
  expect(shown.stdout).toContain(id);
  expect([shown.stdout.includes("fettle/"), other.git("branch", "--list", "fettle/*")]).toEqual([false, ""]);
  expect(taskId(shown.stdout)).toBe("");
});

test("a function that is added to a file that is there: red by what is missing, green with it, red again without; what no test notices is named", async () => {
  const before = 'export const round = (value) => Math.floor(value);\n\n// ---\n\nexport const name = "round";\n';
  const after = `export const half = (value) => value / 2;\n${before.replace('"round"', '"rounding"')}`;
  const wanted =
    'import test from "node:test";\nimport assert from "node:assert";\nimport { half } from "../src/round.js";\ntest("half", () => assert.equal(half(3), 1.5));\n';
  await using scene = await openScene(
    {
      ...quickCrew,
      architect: () => say(quickPlan({ summary: "Add half" })),
      verifier: ({ said }) => (said === 0 ? write("test/round.test.js", wanted) : say("Written.")),
      coder: ({ said }) => (said === 0 ? write("src/round.js", after) : say("Done.")),
    },
    { ...nodeFiles, "src/round.js": before },
  );
  const { id, code, stderr } = await planned(scene, [], "add a function half to src/round.js");
  const { task } = await look(scene, id);
  expect([code, task.locks?.[0]?.red], stderr).toEqual([
    3,
    expect.objectContaining({
      result: "missing",
      why: expect.stringContaining("does not provide an export named 'half'"),
    }),
  ]);
  expect(task.evidence?.find(({ tier }) => tier === "proof")).toMatchObject({
    claim: "without the change test/round.test.js fails again",
    ...{ exit: 1, ok: true, detail: "1 of 2 pieces of the change are noticed by a test" },
  });
  expect(task.unproved).toEqual(["src/round.js:6"]);
  expect(stderr).toMatch(/No test notices when this is taken back\n.*src\/round\.js:6/);
  expect(scene.git("worktree", "list").trim().split("\n")).toHaveLength(2);
});

const guarded = {
  ...nodeFiles,
  "package.json": JSON.stringify({
    name: "x",
    type: "module",
    scripts: { test: "node --test", lint: "no-such-linter src", types: "echo all fit" },
  }),
  "test/bad.test.js":
    'import test from "node:test";\nimport assert from "node:assert";\ntest("red already", () => assert.equal(1, 2));\n',
};

test("the repository's own checks are tried before the plan, which hears what works; a plan that checks nothing is held to them, without what was red before", async () => {
  const told: string[] = [];
  const repairs: string[] = [];
  const holds = "grep -q  round src/round.js";
  const checks = ["ls", "node -e 0"];
  await using scene = await openScene(
    {
      ...quickCrew,
      architect({ prompt }) {
        told.push(prompt);
        const commands = told.length === 1 ? { test: "npm test || true", lint: "npm run lint" } : { test: "npm test" };
        return say(
          plan({ commands, acceptance: [{ claim: "all is well", command: checks[told.length - 1] ?? holds }] }),
        );
      },
      coder: ({ said, prompt, visit }) => {
        if (said > 0) return say("Done.");
        repairs.push(prompt);
        const spoilt = "export const round = (value) => (value === 2 ? 3 : Math.floor(value + 0.5));\n";
        return write("src/round.js", visit === 1 ? spoilt : fixed);
      },
    },
    guarded,
  );
  const { id, code, stderr } = await planned(scene);
  expect(told[0]).toMatch(
    /npm test \(test, package\.json\): red already: 1 passed, 1 failed, 0 skipped.*; red: red already/,
  );
  expect(told[0]).toMatch(/npm run lint \(lint, package\.json\): cannot run/);
  for (const wrong of ["npm test || true cannot fail", "ls cannot fail"]) expect(told[1]).toContain(wrong);
  expect(told[1]).toContain("npm run lint cannot run here");
  expect(told[0]).toMatch(/npm run types \(types, package.json\): cannot fail/);
  expect(told[2]).toContain("node -e 0 passes also where every file is broken");
  expect(stderr).toContain("npm run types is left out: it passes also in a copy");
  expect(stderr).toMatch(/npm test is red already: 1 test \(.+\)\./);
  expect(stderr).toMatch(/Shown also without the change, so no evidence of it\s+│ +all is well: grep -q {2}round src/);
  expect(stderr).toMatch(/What will be different, and what shows it\s+│ +all is well +grep -q {2}round src\/round\.js/);
  expect(stderr).toMatch(/Red before the change, green with it\s+│ +a half is rounded up +test\/round\.test\.js/);
  expect(stderr).toMatch(/npm test +2 passed, 1 failed; before: 1 passed, 1 failed/);
  const amount = String.raw`[\d.]+ (?:s|min|h)(?: \d+ s)?`;
  expect(stderr.replaceAll(/\s+│?\s*/g, " ")).toMatch(
    new RegExp(
      `It took ${amount} of work \\(the model ${amount}, fettle ${amount}\\), ${amount} of waiting for people, and `,
    ),
  );
  expect(stderr).not.toMatch(/risk \d|answered by|envelope/);
  expect(repairs[1]).toContain("red now, and not before: whole numbers stay");
  const { task, transitions } = await look(scene, id);
  expect([code, transitions.filter(({ from, to }) => from === "REHEARSAL" && to !== from)], stderr).toEqual([
    3,
    [expect.objectContaining({ to: "PLANNING" })],
  ]);
  expect(task.evidence?.find(({ claim }) => claim.startsWith("no test of the repository"))).toMatchObject({
    claim: "no test of the repository is red that was not red before (npm test)",
    command: "node --test --test-reporter=tap",
    ...{ exit: 1, ok: true, detail: "2 passed; red as before: red already" },
  });
});

test("a red test that was red before is no trouble of the work, whatever command of the plan runs it", async () => {
  const told: string[] = [];
  const scripts = { test: "npm run unit && npm run more", unit: "node --test", more: "node --check src/round.js" };
  const red = nodeFiles["test/old.test.js"]?.replace("whole numbers stay", "red already").replace("(2), 2", "(2), 3");
  const commands = { test: "npm run unit" };
  const acceptance = [{ claim: "1.5 becomes 2, and all else is as it was", command: "npm run unit" }];
  await using scene = await openScene(
    {
      ...goodCrew,
      architect: () => say(plan({ commands, acceptance })),
      coder: ({ said, prompt }) => {
        if (said === 0) told.push(prompt);
        return said === 0 ? write("src/round.js", fixed) : say("Done.");
      },
    },
    {
      ...nodeFiles,
      "package.json": JSON.stringify({ name: "x", type: "module", scripts }),
      "test/red.test.js": red ?? "",
    },
  );
  const { id, code, stderr } = await planned(scene);
  expect([code, told.length], stderr).toEqual([3, 1]);
  expect(stderr).toMatch(/npm run unit is red already: 1 test \(.+\)\./);
  const { task } = await look(scene, id);
  const shown = task.evidence?.filter(({ exit }) => exit === 1).map(({ tier, ok, detail }) => ({ tier, ok, detail }));
  expect(shown).toContainEqual({ tier: "acceptance", ok: true, detail: "2 passed; red as before: red already" });
  expect((await approve(scene, id)).stdout).toContain("Merged into main");
});

test("that only documents change is decided by the plan, which a person signs, and not by a word of the request", async () => {
  const readme = { path: "README.md", action: "modify", intent: "says it" };
  const files = { ...nodeFiles, ...docsFiles };
  const both = (more: Record<string, unknown>) => say(quickPlan({ files: [...plan().files, readme], ...more }));
  await using asked = await openScene({ ...quickCrew, architect: () => both({}) }, files);
  const first = await asked.run(["task", "Add that halves are rounded up. Update the README too."]);
  expect(first.stderr).not.toMatch(/documents only|does not fit/);
  expect(taskId(first.stderr)).not.toBe("");

  await using scene = await openScene({ ...quickCrew, architect: () => both({}) }, files);
  const { id, code, stderr } = await planned(scene, [], docsWords);
  const { transitions, task } = await look(scene, id);
  expect([code, task.intent?.docsOnly, task.rehearsal?.checks.length], stderr).toEqual([3, false, 2]);
  const way = transitions.filter(({ from, to }) => from !== to).map(({ to }) => to);
  expect(way.slice(1, 5)).toEqual(["REHEARSAL", "PLANNING", "REHEARSAL", "PLANNING"]);

  await using other = await openScene(docsCrew, { ...nodeFiles, ...docsFiles });
  const words = "Add to the README how it rounds, and say that it does round.";
  const { stderr: page, code: end } = await planned(other, [], words);
  expect([end, page]).toEqual([3, expect.stringContaining("Only documents change: no test is written")]);
});

test("where none of its tests can be run the person is asked, and what they choose stands on every page", async () => {
  const scripts = { test: "no-such-runner test" };
  await using scene = await openScene(quickCrew, {
    ...nodeFiles,
    "package.json": JSON.stringify({ name: "x", type: "module", scripts }),
  });
  // Killed while the question waits, it is asked the same again, and nothing is tried a second time.
  const terminal = scene.terminal(["task", words]);
  await terminal.shows(/None of the repository's own tests can be run here: npm\s+test/, 40_000);
  terminal.kill("SIGKILL");
  await terminal.exited;
  expect((await scene.run(["task", "list"])).stdout).toContain("Rehearsal: asks you");
  const before = transitionCount(scene);
  const begun = await scene.run(["task", "resume"]);
  expect([begun.code, begun.stderr, transitionCount(scene)]).toEqual([
    3,
    expect.stringContaining("None of the repository's own tests can be run here: npm test"),
    before,
  ]);
  const id = /fettle task answer (\w+)/.exec(begun.stderr.replaceAll(/\s+/g, " "))?.[1] ?? "";
  const answered = await scene.run(["task", "answer", id, "go on without"]);
  expect([answered.code, answered.stderr]).toEqual([
    3,
    expect.stringContaining("Its own tests cannot be run here, and you go on without them."),
  ]);
  expect((await look(scene, id)).state).toBe("PLANNING");
});

test("a plan that cannot be carried out is planned anew with the reason, shown as what is otherwise, signed again, and merged; what a mission asks is answered", async () => {
  const told: string[] = [];
  const wide = { path: "src/wide.js", action: "create", intent: "the other half" };
  await using scene = await openScene(
    {
      ...quickCrew,
      architect({ prompt }) {
        told.push(prompt);
        return say(quickPlan(told.length === 1 ? {} : { files: [...plan().files, wide] }));
      },
      coder: ({ said, prompt, last }) => {
        if (prompt.includes("src/wide.js"))
          return (
            [write("src/wide.js", "export const add = 0.5;\n"), write("src/round.js", fixed)][said] ?? say("Done.")
          );
        if (said === 0)
          return { calls: [call("ask", { question: "May I write src/wide.js?", options: ["yes", "no"] })] };
        return say(`The answer: ${last}.\nReplan: it needs src/wide.js, which the plan does not name`);
      },
      auditor: goodCrew["auditor"] as MissionScript,
    },
    nodeFiles,
  );
  const terminal = scene.terminal(["task", words]);
  await terminal.shows("(l)ater", 60_000);
  await terminal.enter("a", "May I write src/wide.js?", 60_000);
  await terminal.shows("an(o)ther answer");
  await terminal.enter("2", /Planned anew[^]*it needs src\/wide\.js[^]*\+ create src\/wide\.js[^]*\(l\)ater/, 60_000);
  expect(told[1]).toContain("Why it could not be: it needs src/wide.js, which the plan does not name");
  await terminal.enter("a", "whole (d)iff", 60_000);
  await terminal.enter("a", "Merged into main", 60_000);
  expect(await terminal.exited).toBe(0);
  const [{ id } = { id: "" }] = await scene.read("task.list", { limit: 1 });
  const { transitions } = await look(scene, id);
  expect(transitions.filter(({ from, to }) => from === "IMPLEMENTING" && to === "PLANNING")).toHaveLength(1);
  expect((await scene.run(["task", "replay", id])).stdout).toContain("everything as it was");
  expect(scene.git("show", "main:src/wide.js")).toContain("add");
});

test("a planned file that nobody has written is named to the coder, who writes it", async () => {
  const heard: string[] = [];
  await using scene = await openScene({
    ...goodCrew,
    architect: () =>
      say(
        plan({
          files: [
            { path: "src/round.js", action: "modify", intent: "round" },
            { path: "test/round.test.js", action: "create", intent: "shows it" },
            { path: "src/half.js", action: "create", intent: "one place for it" },
          ],
        }),
      ),
    coder(given) {
      heard.push(given.prompt);
      if (given.said > 0) return say("Done.");
      return heard.some((each) => each.includes("The plan creates src/half.js, and nobody has written that"))
        ? write("src/half.js", "export const half = 0.5;\n")
        : write("src/round.js", fixed);
    },
  });
  const { id, code, stderr } = await planned(scene);
  expect([code, heard.join("\n")], stderr).toEqual([
    3,
    expect.stringContaining("The plan creates src/half.js, and nobody has written that"),
  ]);
  expect((await approve(scene, id)).code).toBe(0);
  expect(scene.text("src/half.js")).toContain("0.5");
});
