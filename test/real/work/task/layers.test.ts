// What the tests of a task rest on: dependencies as they were, and runners of tests that write beside them.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { call } from "../../../scenarios/scene.ts";
import { projectRoot } from "../../../support/program.ts";
import { sandboxHere } from "../../../support/sandbox.ts";
import {
  fixed,
  type MissionScript,
  nodeFiles,
  plan,
  quickCrew,
  quickPlan,
  say,
  write,
} from "../../../work/task/crew.ts";
import { look, openScene, planned, taskId, words, branchFiles, putPackage } from "../../../work/task/tasks.ts";

const shell = (command: string) => ({ calls: [call("shell", { command })] });
describe.skipIf(!sandboxHere)("on layers", () => {
  /** A package that the tests of a task rest on, and what shadows it: a file of that name beside its folder. */
  const checker = 'const { round } = require("../../src/round.js");\nif (round(2.5) !== 3) throw new Error("2.5");\n';

  test("the verification rests on dependencies as they were: what commands of the coder made beside them is gone", async () => {
    const wrong = "export const round = (value) => (value === 1.5 ? 2 : Math.floor(value));\n";
    const prompts: string[] = [];
    const coder: MissionScript = ({ said, visit, prompt }) => {
      if (said === 0) prompts.push(prompt);
      if (said === 0) return write("src/round.js", visit === 1 ? wrong : fixed);
      return visit === 1 && said === 1 ? shell("sh fake.sh") : say("Done.");
    };
    const check = "node check.cjs";
    // Planned, and so believed until the commit is verified; unplanned, not even until then.
    for (const run of [["sh fake.sh"], []]) {
      prompts.splice(0);
      await using scene = await openScene(
        {
          ...quickCrew,
          architect: () => say(quickPlan({ run, commands: { test: "node --test", lint: check } })),
          coder,
        },
        {
          ...nodeFiles,
          "fake.sh": "echo '// content' > node_modules/checker.js; echo '// content' > node_modules/checker/index.js\n",
          "check.cjs": 'require("checker");\n',
        },
      );
      putPackage(scene, checker);
      const { code, id, stdout, stderr } = await planned(scene);
      expect([code, stdout], stderr).toEqual([3, ""]);
      expect(prompts[1]).toMatch(
        run.length > 0 ? /The verification of the work so far failed: the check "the linter/ : /fails:\n/,
      );
      expect([scene.text("node_modules/checker/index.js"), existsSync(scene.at("node_modules/checker.js"))]).toEqual([
        checker,
        false,
      ]);
      expect((await look(scene, id)).task.evidence?.find(({ command }) => command === check)).toMatchObject({
        exit: 0,
      });
    }
  });

  test("vitest with a configuration file writes beside it, and the checkout's dependencies stay as they are", async () => {
    const { scripts: _, ...rest } = JSON.parse(nodeFiles["package.json"] ?? "{}") as Record<string, unknown>;
    const imports = 'import { expect, test } from "vitest";\nimport { round } from "../src/round.js";\n';
    const proof = `${imports}test("a half is rounded up", () => expect(round(1.5)).toBe(2));\n`;
    const vitest = (name: string) => `node_modules/.bin/vitest run ${name}`.trim();
    await using scene = await openScene(
      {
        ...quickCrew,
        architect: () =>
          say(
            plan({
              commands: { test: vitest("") },
              acceptance: [{ claim: "1.5 becomes 2", command: vitest("test/round.test.js") }],
            }),
          ),
        verifier: ({ said }) => (said === 0 ? write("test/round.test.js", proof) : say("Done.")),
      },
      {
        "package.json": JSON.stringify({ ...rest, scripts: { test: "vitest run" }, devDependencies: { vitest: "*" } }),
        "vitest.config.ts":
          'import { defineConfig } from "vitest/config";\nexport default defineConfig({ test: { include: ["test/**/*.test.js"] } });\n',
        "src/round.js": nodeFiles["src/round.js"] ?? "",
        "test/old.test.js": `${imports}test("whole numbers stay", () => expect(round(2)).toBe(2));\n`,
        ".gitignore": "node_modules/\n",
      },
    );
    copyPackage("vitest", scene.at("node_modules"));
    mkdirSync(scene.at("node_modules/.bin"));
    symlinkSync("../vitest/vitest.mjs", scene.at("node_modules/.bin/vitest"));
    const before = readdirSync(scene.at("node_modules")).sort();
    const { code, id, stdout, stderr } = await planned(scene);
    expect([code, stdout], stderr).toEqual([3, ""]);
    expect((await look(scene, id)).task.locks?.[0]?.red.failed).toEqual(["a half is rounded up"]);
    expect(readdirSync(scene.at("node_modules")).sort()).toEqual(before);
    expect(await branchFiles(scene, id)).toEqual(["src/round.js", "test/round.test.js"]);
  });

  test.skipIf(spawnSync("python3", ["-m", "pytest", "--version"]).status !== 0)(
    "pytest keeps its caches in the layer, which no rule ignores",
    async () => {
      const imports = "from rounding import round_up\n\n\n";
      await using scene = await openScene(
        {
          ...quickCrew,
          architect: () =>
            say(
              plan({
                stack: "python",
                files: [
                  { path: "tests/test_half.py", action: "create", intent: "halves" },
                  { path: "rounding.py", action: "modify", intent: "add a half" },
                ],
                test: { path: "tests/test_half.py", subject: ["rounding.py"] },
                commands: { test: "python3 -m pytest" },
                acceptance: [{ claim: "1.5 becomes 2", command: "python3 -m pytest tests/test_half.py" }],
              }),
            ),
          verifier: ({ said }) =>
            said === 0
              ? write("tests/test_half.py", `${imports}def test_half():\n    assert round_up(1.5) == 2\n`)
              : say("Done."),
          coder: ({ said }) =>
            [
              write("rounding.py", "def round_up(value):\n    return int(value + 0.5)\n"),
              shell("python3 -m pytest -q | tail -3"),
            ][said] ?? say("Done."),
        },
        {
          "rounding.py": "def round_up(value):\n    return int(value)\n",
          "conftest.py": "",
          "tests/test_old.py": `${imports}def test_whole():\n    assert round_up(2) == 2\n`,
        },
      );
      const own = (name: string) => path.join(scene.home.folder, name);
      const tools = {
        env: {
          HOME: os.homedir(),
          XDG_STATE_HOME: own(".local/state"),
          XDG_CONFIG_HOME: own(".config"),
          XDG_CACHE_HOME: own(".cache"),
          XDG_DATA_HOME: own(".local/share"),
        },
        timeoutMs: 60_000,
      };
      const id = taskId((await scene.run(["task", words], tools)).stderr);
      const { code, stdout, stderr } = await scene.run(["task", "approve", id], tools);
      expect([code, stdout], stderr).toEqual([3, ""]);
      expect(stderr).toContain("2 passed");
      const { folder = "" } = (await look(scene, id)).task.worktree ?? {};
      expect(readdirSync(folder).sort()).toEqual([".git", "conftest.py", "rounding.py", "tests"]);
    },
  );
});

/** With all that it needs, from fettle's own dependencies. */
function copyPackage(name: string, to: string, seen = new Set<string>()): void {
  const from = path.join(projectRoot, "node_modules", name);
  if (seen.has(name) || !existsSync(from)) return;
  seen.add(name);
  mkdirSync(path.dirname(path.join(to, name)), { recursive: true });
  execFileSync("cp", ["-R", from, path.join(to, name)]);
  const {
    dependencies = {},
    optionalDependencies = {},
    peerDependencies = {},
  } = JSON.parse(readFileSync(path.join(from, "package.json"), "utf8")) as Record<
    string,
    Record<string, string> | undefined
  >;
  for (const each of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }))
    copyPackage(each, to, seen);
}
