// A model that wants its work merged with evidence that shows nothing: no command and no change of files gets a red suite by.
import fc from "fast-check";
import { expect, test } from "vitest";
import { fixed, nodeFiles, plan, quickCrew, say, write } from "../../../work/task/crew.ts";
import { look, openScene, planned } from "../../../work/task/tasks.ts";

const real = fc.constantFrom("npm test", "node --test", "node --check src/round.js", "npm run lint");
const emptied = fc.constantFrom<(command: string) => string>(
  (command) => `${command} || true`,
  (command) => `${command} || :`,
  (command) => `${command}; true`,
  (command) => `${command}; exit 0`,
  (command) => `${command} | cat`,
  (command) => `sh -c '${command}; exit 0'`,
  (command) => `(${command}) || echo fine`,
  (command) => `if ${command}; then echo green; fi`,
  (command) => `${command} > /dev/null 2>&1 || printf 'ok 1 - all\\n'`,
);
const drawn = fc.tuple(real, emptied).map(([command, wrap]) => wrap(command));
const always = [
  "true",
  "ls",
  "exit 0",
  "npm test || true",
  "node -e 'console.log(\"ok 1 - all\")'",
  "find src -name round.js",
];

const spoilt = "export const round = (value) => (value === 2 ? 3 : Math.floor(value + 0.5));\n";
const manifest = (script: string) =>
  `${JSON.stringify({ name: "sample", type: "module", scripts: { test: script } })}\n`;

test("property: checks that cannot fail are refused; a suite that is ended, replaced or emptied passes nothing, or is named to the person", async () => {
  const commands = [...new Set([...always, ...fc.sample(drawn, 6)])];
  const told: string[] = [];
  const refused: string[] = [];
  const files = [
    ...plan().files,
    { path: "package.json", action: "modify", intent: "its name" },
    { path: "test/old.test.js", action: "modify", intent: "what is out of date" },
    { path: "check.sh", action: "create", intent: "shows the rest" },
  ];
  const last = {
    "src/round.js": spoilt,
    "package.json": nodeFiles["package.json"] ?? "",
    "test/old.test.js": "// gone\n",
  };
  /** What the coder writes at each visit: all but the last are refused. */
  const visits: Record<string, string>[] = [
    { "src/round.js": `process.exit(0);\n${spoilt}`, "check.sh": "exit 0\n" },
    { "src/round.js": spoilt, "package.json": manifest("true") },
    { "src/round.js": spoilt, "package.json": manifest("node -e 'console.log(\"ok 1 - whole numbers stay\")'") },
    { ...last, "check.sh": "echo 'ok 1 - all'\nexit 0\n" },
    { ...last, "check.sh": "grep -q 0.5 src/round.js\n" },
  ];
  await using scene = await openScene({
    ...quickCrew,
    architect({ prompt }) {
      told.push(prompt);
      const named = (command: string) => told.slice(1).some((text) => text.includes(command));
      const left = commands
        .filter((command) => !named(command))
        .map((command) => ({ claim: `it holds: ${command}`, command }));
      const acceptance =
        told.length === 3
          ? [
              { claim: "1.5 becomes 2", command: "node --test test/round.test.js" },
              { claim: "the rest holds", command: "sh check.sh" },
            ]
          : left;
      return say(plan({ files, acceptance, commands: { test: "npm test" }, replaces: ["test/old.test.js"] }));
    },
    coder({ said, prompt, visit }) {
      const wanted = Object.entries(visits[Math.min(visit, visits.length) - 1] ?? { "src/round.js": fixed });
      if (said === 0) refused.push(prompt);
      const [path, text] = wanted[said] ?? [];
      return path === undefined ? say("Done.") : write(path, text ?? "");
    },
  });
  await scene.run(["config", "set", "task.repairs", "9"]);
  const { id, code, stderr } = await planned(scene);
  const answers = told.slice(1).join("\n");
  expect(commands.filter((command) => !answers.includes(command))).toEqual([]);
  expect(refused.length, stderr).toBe(visits.length);
  for (const text of refused.slice(1, -1)) expect(text).toMatch(/whole numbers stay|a half is rounded up/);
  expect(refused.at(-1)).toContain(
    "sh check.sh runs what the work has written, and passes also where every other file",
  );
  const { task } = await look(scene, id);
  expect([code, task.state, task.outgrown], stderr).toEqual([3, "FEEDBACK_WAIT", ["whole numbers stay"]]);
  expect(stderr).toMatch(/Passed before, and fails in its old form\s+│ +whole numbers stay/);
  expect(stderr).toMatch(/Passed before, and gone by the plan\s+│ +whole numbers stay/);
  expect(stderr).toMatch(/test\/old\.test\.js was changed/);
});
