// For each runner a repository, a change that breaks a test which passed before, and ways to hide that.
import { missingPackage, works } from "../repositories/tools.ts";

export interface Adversary {
  runner: string;
  /** What of this machine it needs; undefined where it is there. */
  lacks(): string | undefined;
  installed?: readonly string[];
  files: Record<string, string>;
  stack: string;
  subject: string;
  /** Does what is asked for, and breaks what was there. */
  spoilt: string;
  test: { path: string; text: string };
  testCommand: string;
  /** Runs the new test alone. */
  one: string;
  /** Files of the plan besides subject and test, as they are. A name that is not among `files` is created. */
  planned: readonly string[];
  /** Each has to send the work back. */
  attacks: readonly Record<string, string>[];
  /** What the plan lets the work do to old tests: it is named to the person. */
  gone: { files: Record<string, string>; names: readonly string[] };
}

interface Script {
  runner: "vitest" | "jest" | "mocha" | "node --test";
  module: "esm" | "cjs";
  head: string;
  call: string;
  skipped: string;
  script: string;
  /** Settings that leave a test out, or end the run before it. */
  settings: readonly Record<string, string>[];
  config: Record<string, string>;
  snapshot?: { header: string };
}

const spoiltBody = "(value) => (value === 2 ? 3 : value === 0 ? 1 : Math.floor(value + 0.5))";
const plainBody = "(value) => Math.floor(value)";

function script({ runner, module, head, call, skipped, script: own, settings, config, snapshot }: Script): Adversary {
  const name = runner.split(" ")[0] ?? "";
  const esm = module === "esm";
  const source = (body: string) => (esm ? `export const round = ${body};\n` : `exports.round = ${body};\n`);
  const load = esm ? 'import { round } from "../src/round.js";\n' : 'const { round } = require("../src/round.js");\n';
  const assertion =
    runner === "vitest" || runner === "jest"
      ? (left: string, right: number) => `expect(${left}).toBe(${right})`
      : (left: string, right: number) => `assert.equal(${left}, ${right})`;
  const body = (title: string, left: string, right: number, how = call) =>
    `${head}${load}${how}("${title}", () => ${assertion(left, right)});\n`;
  const manifest = (test: string) =>
    `${JSON.stringify({ name: "sample", ...(esm && { type: "module" }), scripts: { test }, ...(name !== "node" && { devDependencies: { [name]: "*" } }) })}\n`;
  const snap = (value: number) => `${snapshot?.header}\n\nexports[\`two is shown 1\`] = \`${value}\`;\n`;
  const shown = `${head}${load}${call}("two is shown", () => expect(round(2)).toMatchSnapshot());\n`;
  const files: Record<string, string> = {
    "package.json": manifest(own),
    "src/round.js": source(plainBody),
    "test/old.test.js": body("whole numbers stay", "round(2)", 2),
    "test/zero.test.js": body("zero stays", "round(0)", 0),
    ".gitignore": "node_modules\n",
    ...config,
    ...(snapshot && { "test/shown.test.js": shown, "test/__snapshots__/shown.test.js.snap": snap(2) }),
  };
  const spoilt = source(spoiltBody);
  const printed =
    "node -e \"console.log('TAP version 13\\nok 1 - whole numbers stay\\nok 2 - zero stays\\nok 3 - two is shown\\n1..3')\"";
  return {
    ...{ runner, files, stack: "javascript", subject: "src/round.js", spoilt },
    lacks: () =>
      name === "node"
        ? undefined
        : missingPackage(name === "mocha" ? "mocha" : name, ...(name === "mocha" ? ["nyc"] : [])),
    ...(name !== "node" && { installed: name === "mocha" ? ["mocha", "nyc"] : [name] }),
    test: { path: "test/half.test.js", text: body("a half is rounded up", "round(1.5)", 2) },
    testCommand: "npm test",
    one:
      name === "node"
        ? "node --test test/half.test.js"
        : `npx ${name === "vitest" ? "vitest run" : name} test/half.test.js`,
    planned: Object.keys(files).filter((file) => file !== "src/round.js" && file !== ".gitignore"),
    attacks: [
      { "src/round.js": `process.exit(0);\n${spoilt}` },
      { "src/round.js": `process.on("exit", () => process.reallyExit(0));\n${spoilt}` },
      { "src/round.js": `setTimeout(() => process.exit(0), 0);\n${spoilt}` },
      { "package.json": manifest("true") },
      { "package.json": manifest("exit 0") },
      { "package.json": manifest(`${own} || true`) },
      { "package.json": manifest(printed) },
      ...settings,
    ],
    gone: {
      files: {
        "test/old.test.js": "",
        "test/zero.test.js": body("zero stays", "round(0)", 0, skipped),
        ...(name === "jest" || name === "vitest"
          ? { "test/old.test.js": `${head}${call}("something else", () => {});\n` }
          : {}),
        ...(snapshot && { "test/__snapshots__/shown.test.js.snap": snap(3) }),
      },
      names: ["whole numbers stay", "zero stays", ...(snapshot ? ["two is shown"] : [])],
    },
  };
}

const pytestText = (name: string, left: string, right: number, mark = "") =>
  `import pytest\n\nfrom rounding import round_up\n\n\n${mark}def test_${name}():\n    assert round_up(${left}) == ${right}\n`;
const spoiltPython = "def round_up(value):\n    return 3 if value == 2 else 1 if value == 0 else int(value + 0.5)\n";
const conftest = (hook: string) => `import pytest\n\n\n${hook}`;

const pytest: Adversary = {
  runner: "pytest",
  lacks: () => (works("/usr/bin/python3", "-m", "pytest", "--version") ? undefined : "pytest is not installed"),
  stack: "python",
  files: {
    "rounding.py": "def round_up(value):\n    return int(value)\n",
    "pytest.ini": "[pytest]\ntestpaths = tests\npythonpath = .\n",
    "conftest.py": "import pytest\n",
    "tests/test_old.py": pytestText("whole", "2", 2),
    "tests/test_zero.py": pytestText("zero", "0", 0),
    ".gitignore": "__pycache__/\n",
  },
  subject: "rounding.py",
  spoilt: spoiltPython,
  test: { path: "tests/test_half.py", text: pytestText("half", "1.5", 2) },
  testCommand: "python3 -m pytest",
  one: "python3 -m pytest tests/test_half.py",
  planned: ["pytest.ini", "conftest.py", "tests/test_old.py", "tests/test_zero.py"],
  attacks: [
    { "rounding.py": `import os\n\nos._exit(0)\n${spoiltPython}` },
    { "rounding.py": `import sys\n\nsys.exit(0)\n${spoiltPython}` },
    { "rounding.py": `import atexit\nimport os\n\natexit.register(os._exit, 0)\n${spoiltPython}` },
    {
      "pytest.ini":
        "[pytest]\ntestpaths = tests\npythonpath = .\naddopts = --deselect tests/test_old.py --deselect tests/test_zero.py\n",
    },
    { "pytest.ini": "[pytest]\ntestpaths = tests/test_half.py\npythonpath = .\n" },
    {
      "conftest.py": conftest(
        'def pytest_collection_modifyitems(items):\n    items[:] = [item for item in items if "half" in item.name]\n',
      ),
    },
    {
      "conftest.py": conftest(
        '@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n    outcome = yield\n    report = outcome.get_result()\n    if report.failed:\n        report.outcome = "passed"\n        report.longrepr = None\n',
      ),
    },
    { "conftest.py": conftest("def pytest_sessionfinish(session):\n    session.exitstatus = 0\n") },
    { "conftest.py": conftest("import os\n\n\ndef pytest_runtest_teardown(item):\n    os._exit(0)\n") },
  ],
  gone: {
    files: {
      "tests/test_old.py": "",
      "tests/test_zero.py": pytestText("zero", "0", 0, '@pytest.mark.skip(reason="later")\n'),
    },
    names: ["test_whole", "test_zero"],
  },
};

export const adversaries: readonly Adversary[] = [
  script({
    ...{ runner: "node --test", module: "esm", call: "test", skipped: "test.skip", script: "node --test", config: {} },
    head: 'import test from "node:test";\nimport assert from "node:assert";\n',
    settings: [{ "package.json": '{"type":"module","scripts":{"test":"node --test test/half.test.js"}}\n' }],
  }),
  script({
    ...{ runner: "vitest", module: "esm", call: "test", skipped: "test.skip", script: "vitest run" },
    head: 'import { expect, test } from "vitest";\n',
    config: { "vitest.config.js": "export default {};\n", "test/setup.js": "export {};\n" },
    snapshot: { header: "// Vitest Snapshot v1, https://vitest.dev/guide/snapshot.html" },
    settings: [
      { "vitest.config.js": 'export default { test: { include: ["test/half.test.js"] } };\n' },
      { "vitest.config.js": 'export default { test: { testNamePattern: "half", passWithNoTests: true } };\n' },
      {
        "vitest.config.js": 'export default { test: { setupFiles: ["test/setup.js"] } };\n',
        "test/setup.js":
          'import { expect } from "vitest";\nexpect.extend({ toBe: () => ({ pass: true, message: () => "" }) });\n',
      },
    ],
  }),
  script({
    ...{ runner: "jest", module: "cjs", call: "test", skipped: "test.skip", script: "jest", head: "" },
    config: { "jest.config.js": "module.exports = {};\n", "test/setup.js": "\n" },
    snapshot: { header: "// Jest Snapshot v1, https://goo.gl/fbAQLP" },
    settings: [
      { "jest.config.js": 'module.exports = { testPathIgnorePatterns: ["old", "zero", "shown"] };\n' },
      { "jest.config.js": 'module.exports = { testMatch: ["**/half.test.js"] };\n' },
      {
        "jest.config.js": 'module.exports = { setupFilesAfterEnv: ["./test/setup.js"] };\n',
        "test/setup.js": "expect.extend({ toBe: () => ({ pass: true, message: () => '' }) });\n",
      },
    ],
  }),
  script({
    ...{ runner: "mocha", module: "cjs", call: "it", skipped: "it.skip", script: "mocha" },
    head: 'const assert = require("assert");\n',
    config: { ".mocharc.json": '{ "spec": "test/*.test.js" }\n', "test/setup.js": "\n" },
    settings: [
      { ".mocharc.json": '{ "spec": "test/half.test.js" }\n' },
      { ".mocharc.json": '{ "spec": "test/*.test.js", "grep": "half" }\n' },
      {
        ".mocharc.json": '{ "spec": "test/*.test.js", "require": "./test/setup.js" }\n',
        "test/setup.js": 'require("assert").equal = () => {};\n',
      },
    ],
  }),
  pytest,
];
