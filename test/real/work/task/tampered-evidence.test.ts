// A coder that wants to be called done without having done it.
import { expect, test } from "vitest";
import { fixed, nodeFiles, quickCrew, quickPlan, say, write } from "../../../work/task/crew.ts";
import { look, openScene, planned } from "../../../work/task/tasks.ts";

const tamed = nodeFiles["package.json"]?.replace('"node --test"', '"true"') ?? "";

test("a subject that ends the test run, and a check whose definition was changed, are no evidence unseen", async () => {
  await using scene = await openScene({
    ...quickCrew,
    architect: () =>
      say(
        quickPlan({
          files: [
            ...quickPlan().files,
            { path: "package.json", action: "modify", intent: "say what the tests are" },
            { path: "test/old.test.js", action: "modify", intent: "keep up" },
          ],
          commands: { test: "npm test" },
          replaces: ["whole numbers stay"],
        }),
      ),
    coder: ({ said, visit }) =>
      said === 0
        ? write("src/round.js", visit === 1 ? `process.exit(0);\n${fixed}` : fixed)
        : said === 1
          ? write("package.json", tamed)
          : said === 2
            ? write("test/old.test.js", "// nothing is left to test\n")
            : say("Done."),
  });
  const { id, stderr } = await planned(scene);
  const { task } = await look(scene, id);
  const told = "the script test was “node --test” and is “true”";
  expect(stderr).toContain("test/old.test.js was changed");
  expect(stderr).toMatch(/Commit messages\s+│ +\w/);
  expect(stderr).toMatch(/Its checks are not what they were\s+│? *package\.json: the script test was/);
  const orders = scene.server.requests.map(({ body }) => JSON.stringify(body));
  expect(orders.some((text) => text.includes("The verification of the work so far failed: "))).toBe(true);
  expect(orders.join("\n")).not.toContain("The person said of the plan or of a result: ");
  const shown = (await scene.run(["task", "show", id])).stdout;
  expect(shown).toMatch(/^ *sent back +\S/m);
  expect([shown.includes("you said"), task.feedback]).toEqual([false, undefined]);
  expect(task.sentBack?.[0]).toContain("“a half is rounded up” failed before there was code, and is not among what");
  expect([task.state, task.repairs, task.evidence?.find(({ claim }) => claim.includes(told))?.tier]).toEqual([
    "FEEDBACK_WAIT",
    1,
    "scope",
  ]);
});

const half = { test: "test/half.test.js", subject: "src/half.js" };
const halfTest =
  'import test from "node:test";\nimport assert from "node:assert";\nimport { half } from "../src/half.js";\ntest("one", () => assert.equal(half(2), 1));\ntest("slow", async () => { await new Promise((done) => setTimeout(done, 300)); });\ntest("two", () => assert.equal(half(4), 2));\n';

test("a new subject that ends the run of its test, at once or on the way, is no evidence: the file says which tests it holds", async () => {
  const whole = "export const half = (value) => value / 2;\n";
  const cuts = [
    `process.exit(0);\n${whole}`,
    "export const half = (value) => (value === 4 ? process.exit(0) : value / 2);\n",
    whole,
  ];
  await using scene = await openScene({
    ...quickCrew,
    architect: () =>
      say(
        quickPlan({
          files: [half.test, half.subject].map((path) => ({ path, action: "create", intent: "halves" })),
          test: { path: half.test, subject: [half.subject] },
          acceptance: [{ claim: "4 becomes 2", command: `node --test ${half.test}` }],
        }),
      ),
    verifier: ({ said }) => (said === 0 ? write(half.test, halfTest) : say("It halves.")),
    coder: ({ said, visit }) => (said === 0 ? write(half.subject, cuts[visit - 1] ?? whole) : say("Done.")),
  });
  const { id } = await planned(scene, [], "add a function half that halves a number");
  const { task } = await look(scene, id);
  expect(task.locks?.[0]?.red).toMatchObject({ result: "missing", failed: [] });
  expect([task.state, task.sentBack?.length], JSON.stringify(task.sentBack)).toEqual(["FEEDBACK_WAIT", 2]);
  expect(task.sentBack?.[0]).toContain(`“one” stands in ${half.test}, and is not in the report of its run`);
  expect(task.sentBack?.[1]).toMatch(/“(?:slow|two)” stands in test/);
});

test("an old test that is locked with a weaker assertion still has to pass in its old form", async () => {
  const old = "test/old.test.js";
  const weaker = (nodeFiles[old] ?? "").replace("equal(round(2), 2)", "ok(round(2))");
  const added = 'test("a half is rounded up", () => assert.equal(round(1.5), 2));\n';
  const spoilt = "export const round = (value) => (value === 2 ? 3 : Math.floor(value + 0.5));\n";
  await using scene = await openScene({
    ...quickCrew,
    architect: () =>
      say(
        quickPlan({
          files: [old, "src/round.js"].map((path) => ({ path, action: "modify", intent: "halves" })),
          test: { path: old, subject: ["src/round.js"] },
          acceptance: [{ claim: "1.5 becomes 2", command: `node --test ${old}` }],
        }),
      ),
    verifier: ({ said }) => (said === 0 ? write(old, `${weaker}${added}`) : say("It rounds up.")),
    coder: ({ said, visit }) => (said === 0 ? write("src/round.js", visit === 1 ? spoilt : fixed) : say("Done.")),
  });
  const { id, stderr } = await planned(scene);
  const { task } = await look(scene, id);
  expect([task.state, task.sentBack?.length], `${stderr}${task.sentBack?.join()}`).toEqual(["FEEDBACK_WAIT", 1]);
  expect(task.sentBack?.[0]).toMatch(/pass before the change, and fail with it in their old form: whole numbers stay/);
  expect(task.sentBack?.[0]).toContain("What passed before has to stay, unless the signed plan names the test");
});
