// Evidence that others could have made: what was left running, files that no commit holds, secrets in messages.
import { chmodSync } from "node:fs";
import { expect, test } from "vitest";
import { call } from "../../../scenarios/scene.ts";
import { docsCrew, docsFiles, docsWords, fixed, quickCrew, quickPlan, say, write } from "../../../work/task/crew.ts";
import { look, openScene, planned } from "../../../work/task/tasks.ts";

test("what the coder left running, and files that no commit holds, are not there when the commit is verified", async () => {
  const check = "sleep 1; test ! -e node_modules/helper.js && test ! -e .cache.pyc && node --check src/round.js";
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

test("a secret in the message of a commit, whoever worded it, is not committed", async () => {
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
