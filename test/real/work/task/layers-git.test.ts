// What a task's commands write lands in layers over its worktree: what of it counts, and what does not.
import { describe, expect, test } from "vitest";
import { call } from "../../../scenarios/scene.ts";
import { sandboxHere } from "../../../support/sandbox.ts";
import { fixed, type MissionScript, nodeFiles, quickCrew, say, write } from "../../../work/task/crew.ts";
import { look, openScene, planned, branchFiles, putPackage, withoutLayers } from "../../../work/task/tasks.ts";

const shell = (command: string) => ({ calls: [call("shell", { command })] });
/** What a mission heard back from each of its calls. */
function hearing(steps: readonly ReturnType<MissionScript>[]) {
  const heard: string[] = [];
  const script: MissionScript = ({ said, last }) => {
    if (said > 0 && said <= steps.length) heard[said - 1] = last;
    return steps[said] ?? say("Done.");
  };
  return { heard, script };
}

describe.skipIf(!sandboxHere)("on layers", () => {
  test("git works in the worktree; files left beside the plan are no amendment; a planned file is written by any means", async () => {
    const { heard, script } = hearing([
      write("src/round.js", fixed),
      shell("git log --oneline -1; git status --short"),
      shell('echo note > notes.txt && python3 -c \'open("probe.py", "w").write("1")\''),
      shell("printf '// halves\\n' >> src/round.js"),
      shell("git diff --stat; ls"),
    ]);
    await using scene = await openScene({ ...quickCrew, coder: script });
    const { code, id, stdout, stderr } = await planned(scene);
    expect([code, stdout], stderr).toEqual([3, ""]);
    expect(heard[1]).toMatch(/Round halves up[^]*M src\/round\.js/);
    expect(heard[2]).toContain(
      "[not written to the workspace: notes.txt, probe.py, as the task's plan does not name it (a file tool that writes it asks to amend the plan)]",
    );
    expect(heard[3]).toContain("[files changed: src/round.js]");
    expect(heard[4]).toContain("src/round.js | 3");
    expect(heard[4]).not.toContain("notes.txt");
    const { task } = await look(scene, id);
    expect([task.state, task.amendments]).toEqual(["FEEDBACK_WAIT", undefined]);
    expect(await branchFiles(scene, id)).toEqual(["src/round.js", "test/round.test.js"]);
    expect(scene.git("show", `${task.worktree?.branch}:src/round.js`)).toContain("// halves");
  });

  /** A package that the tests of a task rest on, and what shadows it: a file of that name beside its folder. */

  test("the proof of the test rests on them, too: what its writer has put in front of a dependency proves nothing", async () => {
    const test1 =
      'import test from "node:test";\nimport assert from "node:assert";\nimport { createRequire } from "node:module";\nimport { round } from "../src/round.js";\nconst right = createRequire(import.meta.url)("checker");\ntest("whole", () => assert.equal(round(2), right(2)));\n';
    const steps = [
      write("test/round.test.js", test1),
      shell("echo 'module.exports = () => 9;' > node_modules/checker.js"),
    ];
    await using scene = await openScene({ ...quickCrew, verifier: ({ said }) => steps[said] ?? say("Done.") });
    putPackage(scene, "module.exports = (value) => value;\n");
    const { code, stderr } = await planned(scene);
    expect([code, stderr]).toEqual([3, expect.stringMatching(/to be planned anew: .*passes already/s)]);
  });
});

test("without layers a planned check in other words, and a planned file written by a command, are no amendment", async () => {
  const steps = [
    shell("cat > src/round.js <<'END'\nexport const round = (value) => Math.floor(value + 0.5);\nEND"),
    shell("sed -i 's/0.5/(1 \\/ 2)/' src/round.js && cat src/round.js"),
    shell("node --test --test-reporter=spec test/old.test.js test/round.test.js 2>&1 | grep -c a"),
    shell("npm test 2>&1 | tail -4"),
    shell("node --test --test-name-pattern=half test/round.test.js | head -30"),
  ];
  const { heard, script } = hearing(steps);
  await using scene = await openScene({ ...quickCrew, coder: script }, nodeFiles, withoutLayers);
  const { id, stderr } = await planned(scene);
  const { task } = await look(scene, id);
  expect([task.state, task.amendments], stderr).toEqual(["FEEDBACK_WAIT", undefined]);
  expect(heard[1]).toContain("(1 / 2)");
  for (const text of heard) expect(text).not.toMatch(/amend|denied|unanswered/i);
});
