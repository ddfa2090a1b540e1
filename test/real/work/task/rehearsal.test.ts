// The rehearsal in the real program: what was seen to work is what fettle's own commands are made of.
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { fixed, goodCrew, nodeFiles, plan, quickCrew, quickPlan, say, test1, write } from "../../../work/task/crew.ts";
import { approve, look, openScene, planned, words } from "../../../work/task/tasks.ts";

const pytest = spawnSync("/usr/bin/python3", ["-m", "pytest", "--version"]).status === 0;

const shop = {
  "pyproject.toml":
    '[project]\nname = "shop"\nversion = "1"\n[tool.pytest.ini_options]\ntestpaths = ["tests"]\n[tool.ruff]\n',
  "src/shop/__init__.py": "def rounded(value):\n    return int(value)\n",
  "tests/test_old.py": "from shop import rounded\n\n\ndef test_whole():\n    assert rounded(2) == 2\n",
  ".github/workflows/ci.yml":
    "jobs:\n  test:\n    services: { redis: { image: redis } }\n    strategy: { matrix: { python: ['3.9', '3.12'] } }\n    env: { PYTHONPATH: src }\n    steps:\n      - run: pip install pytest\n      - run: pytest -q\n      - run: no-such-checker && ruff check .\n",
  ".gitignore": "__pycache__/\n",
};

const fixture = "import pytest\n\n\n@pytest.fixture\ndef value():\n    return 1.5\n";
const half = "from shop import rounded\n\n\ndef test_half(value):\n    assert rounded(value) == 2\n";

test.skipIf(!pytest)(
  "a package below src: tested as the CI does, with its variables, one file of it and what is planned, too; a fixture comes with its test; what only the CI has is named",
  { timeout: 120_000 },
  async () => {
    const told: string[] = [];
    await using scene = await openScene(
      {
        auditor: goodCrew["auditor"] as never,
        architect({ prompt }) {
          told.push(prompt);
          return say({
            summary: "Round halves up",
            stack: "python",
            files: [
              { path: "tests/test_half.py", action: "create", intent: "shows it" },
              { path: "tests/conftest.py", action: "create", intent: "a fixture" },
              { path: "src/shop/__init__.py", action: "modify", intent: "rounds" },
            ],
            test: { paths: ["tests/test_half.py"], subject: ["src/shop/__init__.py"] },
            commands: { test: "pytest" },
            acceptance: [{ claim: "1.5 becomes 2", command: "pytest -q tests/test_half.py" }],
          });
        },
        verifier: ({ said }) =>
          said === 0
            ? {
                calls: [
                  ...(write("tests/conftest.py", fixture).calls ?? []),
                  ...(write("tests/test_half.py", half).calls ?? []),
                ],
              }
            : say("Written."),
        coder: ({ said }) =>
          said === 0
            ? {
                calls: [
                  ...(write("tests/conftest.py", fixture.replace("1.5", "2")).calls ?? []),
                  ...(write("src/shop/__init__.py", "def rounded(value):\n    return int(value + 0.5)\n").calls ?? []),
                ],
              }
            : say("Done."),
      },
      shop,
      { PATH: "/usr/bin:/bin" },
    );
    const { id, stderr } = await planned(scene);
    const { task } = await look(scene, id);
    expect(told[0], stderr).toMatch(
      /pytest -q \(test, \.github\/workflows\/ci\.yml\): works: 1 passed, 0 failed, 0 skipped, .*; runs as: PYTHONPATH=src pytest -q.*; one file: PYTHONPATH=src pytest -q FILE/,
    );
    expect(told[0]).not.toContain("Test commands:");
    expect(told[0]).toContain("The CI also varies: python 3.9, 3.12 (.github/workflows/ci.yml)");
    expect(task.locks?.[0]?.red.command).toContain("PYTHONPATH=src pytest -q tests/test_half.py");
    expect(stderr).toContain(
      "ruff check . is left out: it cannot run here (the CI gives it redis, a service of the CI).",
    );
    // What was planned runs in the form that works, and the fixture is locked with the test that rests on it.
    expect(task.plan?.acceptance[0]?.command).toBe("PYTHONPATH=src pytest -q tests/test_half.py");
    expect(task.testSupport).toEqual(["tests/conftest.py"]);
    expect(stderr).toContain("The test is locked: it stays as it was when it failed.");
    expect((await approve(scene, id)).stdout).toContain("Merged into main");
    expect(scene.text("tests/conftest.py")).toBe(fixture);
  },
);

test("a rehearsal that the person has turned off tries nothing, and the page says what follows from that", async () => {
  await using scene = await openScene(quickCrew, undefined, { FETTLE_TASK_REHEARSAL: "0" });
  const { code, stderr } = await scene.run(["task", words]);
  expect([code, stderr]).toEqual([3, expect.stringContaining("The rehearsal is turned off (task.rehearsal)")]);
  expect(stderr).toContain("nothing of the repository's own was tried");
});

const readme = {
  "package.json": `${JSON.stringify({
    ...{ name: "sample", type: "module" },
    scripts: { unit: "node --test", docs: "node scripts/check-readme.js", test: "npm run unit && npm run docs" },
  })}\n`,
  "src/round.js": nodeFiles["src/round.js"] ?? "",
  "README.md": "# sample\n\n- round\n",
  "scripts/check-readme.js":
    'import { readFileSync } from "node:fs";\nimport * as all from "../src/round.js";\nconst text = readFileSync("README.md", "utf8");\nconst lost = Object.keys(all).filter((name) => !text.includes(`- ${name}`));\nif (lost.length > 0) throw new Error(`not in the README: ${lost}`);\n',
  "test/old.test.js":
    'import test from "node:test";\nimport assert from "node:assert";\nimport { round } from "../src/round.js";\ntest("whole numbers stay", () => assert.equal(round(2), 2));\ntest("text is a number", () => assert.equal(round("x"), 0));\n',
  ".github/workflows/ci.yml": "jobs:\n  test:\n    steps:\n      - run: npm test\n      - run: some-checker src\n",
};

test("a chain whose first part is red before the work: what it runs behind is a check of its own, and what breaks there is sent back", async () => {
  const returned: string[] = [];
  await using scene = await openScene(
    {
      ...quickCrew,
      architect: () =>
        say(
          quickPlan({
            files: [...plan().files, { path: "README.md", action: "modify", intent: "names what there is" }],
          }),
        ),
      coder: ({ said, visit, prompt }) => {
        if (said === 0 && visit > 1) returned.push(prompt);
        if (said > 0) return say("Done.");
        return visit === 1
          ? write("src/round.js", `${fixed}export const half = (value) => value / 2;\n`)
          : write("README.md", "# sample\n\n- round\n- half\n");
      },
    },
    readme,
  );
  const { id, stderr } = await planned(scene);
  expect(stderr).toContain("The repository runs these beside its checks, and they are not tried: some-checker src");
  const { task } = await look(scene, id);
  expect(task.rehearsal?.checks.map(({ command, result }) => `${command} ${result}`)).toEqual([
    "npm run unit red",
    "npm run docs works",
  ]);
  expect(returned[0]).toContain("not in the README: half");
  expect(task.evidence?.find(({ claim }) => claim.includes("npm run docs"))?.ok).toBe(true);
});

const toxed = {
  "tox.ini":
    "[tox]\nenvlist = py3\n\n[testenv]\ndeps = pytest\nsetenv =\n    PYTHONPATH = {toxinidir}/src\ncommands =\n    pytest {posargs:tests}\n    python tools/check_readme.py\n",
  "src/levels/__init__.py": "def mean_level(values):\n    return sum(values) / len(values)\n",
  "tests/test_levels.py":
    "from levels import mean_level\n\n\ndef test_mean():\n    assert mean_level([1, 3]) == 2\n\n\ndef test_none():\n    assert mean_level([]) == 0\n",
  "tools/check_readme.py":
    'import re\n\ntext = open("README.md").read()\nnames = re.findall(r"^def (\\w+)", open("src/levels/__init__.py").read(), re.M)\nassert names, "nothing is defined"\nlost = [name for name in names if name not in text]\nassert not lost, f"not in the README: {lost}"\n',
  "README.md": "# levels\n\n- mean_level\n",
  ".gitignore": "__pycache__/\n",
};

test.skipIf(!pytest)(
  "tox with tests that are red before and a second command: each line is tried, and what the second one says sends the work back",
  { timeout: 120_000 },
  async () => {
    const returned: string[] = [];
    const more = "\n\ndef max_level(values):\n    return max(values)\n";
    await using scene = await openScene(
      {
        auditor: goodCrew["auditor"] as never,
        architect: () =>
          say({
            summary: "Tell the highest level",
            stack: "python",
            files: [
              { path: "tests/test_max.py", action: "create", intent: "shows it" },
              { path: "src/levels/__init__.py", action: "modify", intent: "adds max_level" },
              { path: "README.md", action: "modify", intent: "names it" },
            ],
            test: { paths: ["tests/test_max.py"], subject: ["src/levels/__init__.py"] },
            commands: { test: "pytest" },
            acceptance: [{ claim: "max_level of 1 and 3 is 3", command: "pytest tests/test_max.py" }],
          }),
        verifier: ({ said }) =>
          said === 0
            ? write(
                "tests/test_max.py",
                "from levels import max_level\n\n\ndef test_max():\n    assert max_level([1, 3]) == 3\n",
              )
            : say("Written."),
        coder: ({ said, visit, prompt }) => {
          if (said === 0 && visit > 1) returned.push(prompt);
          if (said > 0) return say("Done.");
          return visit === 1
            ? write("src/levels/__init__.py", `${toxed["src/levels/__init__.py"]}${more}`)
            : write("README.md", "# levels\n\n- mean_level\n- max_level\n");
        },
      },
      toxed,
      { PATH: "/usr/bin:/bin" },
    );
    const { id, stderr } = await planned(scene, [], "add max_level, and name it in the README");
    const { task } = await look(scene, id);
    expect(
      task.rehearsal?.checks.map(({ from, result }) => `${from} ${result}`),
      stderr,
    ).toEqual(["tox.ini, testenv red", "tox.ini, testenv works"]);
    expect(returned[0], stderr).toContain("not in the README: ['max_level']");
    expect(stderr).toMatch(/is red already: 1 test \(.*test_none\)/);
    const ended = await approve(scene, id);
    expect(ended.stdout, `${stderr}\n=====${ended.stderr}`).toContain("Merged into main");
  },
);

test("a planned linter that was red before the work is left out, as the page says: it holds up neither test nor code", async () => {
  const lint =
    'import { readdirSync } from "node:fs";\nfor (const folder of ["src", "test"]) for (const file of readdirSync(folder)) console.log(`${folder}/${file}:1:1 error indent`);\nprocess.exit(1);\n';
  const visits = { tester: 0, coder: 0 };
  await using scene = await openScene(
    {
      ...quickCrew,
      architect: () => say(quickPlan({ commands: { lint: "npm run lint", test: "node --test" } })),
      verifier({ said }) {
        visits.tester += said === 0 ? 1 : 0;
        return said === 0 ? write("test/round.test.js", test1) : say("Written.");
      },
      coder({ said }) {
        visits.coder += said === 0 ? 1 : 0;
        return said === 0 ? write("src/round.js", fixed) : say("Done.");
      },
    },
    {
      ...nodeFiles,
      "tools/lint.js": lint,
      "package.json": JSON.stringify({
        ...{ name: "x", type: "module" },
        scripts: { test: "node --test", lint: "node tools/lint.js" },
      }),
    },
  );
  const { id, code, stderr } = await planned(scene);
  expect([code, visits], stderr).toEqual([3, { tester: 1, coder: 1 }]);
  expect(stderr).toContain("npm run lint is red already, and is left out.");
  expect((await look(scene, id)).task.evidence?.map(({ command }) => command)).not.toContain("npm run lint");
});

test("a rehearsal asks nothing, also where the checkout has a program that the scratch worktree has not", async () => {
  const lint = "node --check src/none.js";
  const scripts = { lint, unit: "node --test", pretest: "npm run lint", test: "npm run unit", posttest: "look --all" };
  await using scene = await openScene(quickCrew, {
    ...nodeFiles,
    "package.json": JSON.stringify({ name: "x", type: "module", scripts, devDependencies: { look: "1" } }),
  });
  const folder = path.join(scene.folder, "node_modules/.bin");
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "look"), "#!/bin/sh\n", { mode: 0o755 });
  const { code, stderr } = await scene.run(["task", words]);
  expect([code, stderr]).toEqual([
    3,
    expect.stringContaining("npx --no-install look --all is left out: it would have"),
  ]);
  expect(stderr).not.toContain("approval needed");
});

test("a suite that takes the package by its name from node_modules tests what is here, in its place, and the page says so", async () => {
  const files = {
    ...nodeFiles,
    "package.json": nodeFiles["package.json"]?.replace('"sample",', '"sample",\n  "main": "src/round.js",') ?? "",
    "test/old.test.js": nodeFiles["test/old.test.js"]?.replace("../src/round.js", "sample") ?? "",
  };
  await using scene = await openScene(quickCrew, files);
  for (const file of ["package.json", "src/round.js"]) scene.put(`node_modules/sample/${file}`, scene.text(file));
  const { stderr } = await scene.run(["task", words]);
  expect(stderr.replaceAll(/\s*│\s*/g, " ")).toContain(
    "npm test tests the copy of sample in node_modules/sample, and not the files here: what is here stands in its place.",
  );
});
