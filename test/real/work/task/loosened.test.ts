// A plan that changes what a check is told: the check still holds with its settings as they were.
import { expect, test } from "vitest";
import { fixed, nodeFiles, plan, quickCrew, quickPlan, say, write } from "../../../work/task/crew.ts";
import { look, openScene, planned } from "../../../work/task/tasks.ts";

const files = {
  ...nodeFiles,
  "package.json": `${JSON.stringify({ name: "sample", type: "module", scripts: { test: "node --test", lint: "node lint.cjs" } })}\n`,
  ".eslintrc.json": '{ "banned": "var " }\n',
  "lint.cjs":
    'const { readFileSync } = require("node:fs");\nconst { banned } = JSON.parse(readFileSync(".eslintrc.json", "utf8"));\nif (readFileSync("src/round.js", "utf8").includes(banned)) throw new Error(`banned: ${banned}`);\nif (!readFileSync("src/round.js", "utf8").includes("export")) throw new Error("nothing is exported");\n',
};
const sloppy = `var half = 0.5;\n${fixed}`;
const settings = [...plan().files, { path: ".eslintrc.json", action: "modify", intent: "let it through" }];

test("a linter whose settings the work loosens is held to them as they were; a plan that changes them says so", async () => {
  const returned: string[] = [];
  await using scene = await openScene(
    {
      ...quickCrew,
      architect: () => say(quickPlan({ files: settings })),
      coder: ({ said, visit, prompt }) => {
        if (said === 0 && visit > 1) returned.push(prompt);
        if (visit > 1) return said === 0 ? write("src/round.js", fixed) : say("Done.");
        if (said > 1) return say("Done.");
        return said === 0 ? write("src/round.js", sloppy) : write(".eslintrc.json", '{ "banned": "eval" }\n');
      },
    },
    files,
  );
  const { id, stderr } = await planned(scene);
  const { task } = await look(scene, id);
  expect(returned[0], stderr).toContain("with the settings of the checks as they were, it passes, too (npm run lint)");
  expect(returned[0]).toContain("banned: var");
  expect(task.evidence?.filter(({ claim }) => claim.includes("settings of the checks")).map(({ ok }) => ok)).toEqual([
    true,
    true,
  ]);
});
