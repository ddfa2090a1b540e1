// A coder that wants to be called done without having done it.
import { chmodSync } from "node:fs";
import { expect, test } from "vitest";
import { call } from "../scenarios/scene.ts";
import { docsCrew, docsFiles, docsWords, fixed, nodeFiles, quickCrew, quickPlan, say, write } from "./crew.ts";
import { look, openScene, planned } from "./tasks.ts";

const tamed = nodeFiles["package.json"]?.replace('"node --test"', '"true"') ?? "";

test("a subject that ends the test run, and a check whose definition was changed, are no evidence unseen", {
  timeout: 60_000,
}, async () => {
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

test("what the coder left running, and files that no commit holds, are not there when the commit is verified", {
  timeout: 60_000,
}, async () => {
  const check = "sleep 1; test ! -e node_modules/helper.js && test ! -e .cache.pyc";
  const beat = `import { mkdirSync, writeFileSync } from "node:fs";\nsetInterval(() => { mkdirSync("node_modules", { recursive: true }); for (const name of ["node_modules/helper.js", ".cache.pyc"]) writeFileSync(name, ""); }, 20);\n`;
  const shell = (command: string, background = false) => ({ calls: [call("shell", { command, background })] });
  const steps = [
    write("src/round.js", `${beat}${fixed}`),
    shell("node --test", true),
    // A command sees what was there when it began.
    shell("sleep 1"),
    shell(check),
    write("src/round.js", fixed),
  ];
  await using scene = await openScene({
    ...quickCrew,
    architect: () => say(quickPlan({ acceptance: [{ claim: "nothing else is there", command: check }] })),
    coder: ({ said }) => steps[said] ?? say("Done."),
  });
  const { id, stderr } = await planned(scene);
  const { task } = await look(scene, id);
  expect(stderr).toMatch(/✗ shell +sleep 1; test/);
  expect([task.state, task.repairs ?? 0]).toEqual(["FEEDBACK_WAIT", 0]);
});

test("a secret in the message of a commit, whoever worded it, is not committed", { timeout: 60_000 }, async () => {
  const token = ["ghp_", "b7Kq2Zt9XwLm4Rv8Ns3Ej6Hc1Yd5Ua0PfGi"].join("");
  await using scene = await openScene(docsCrew, docsFiles);
  scene.put(".git/hooks/commit-msg", `#!/bin/sh\nprintf 'const token = "${token}"\\n' >> "$1"\n`);
  chmodSync(scene.at(".git/hooks/commit-msg"), 0o755);
  const { code, id, stdout, stderr } = await planned(scene, [], docsWords);
  expect(`${stdout}${stderr}`).toContain("its message holds what looks like a secret");
  expect([
    code === 0,
    (await look(scene, id)).task.merge,
    scene.git("log", "--all", "--format=%B").includes(token),
  ]).toEqual([false, undefined, false]);
});
