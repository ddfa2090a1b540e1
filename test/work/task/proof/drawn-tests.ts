// Changes and tests whose worth is known by how they are made: what a judge of proofs has to say of each, run for real.
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { redBySubject } from "../../../../src/work/task/proof/reason.ts";
import { readReport } from "../../../../src/work/task/proof/report.ts";
import { sourceOf } from "../../../../src/work/task/proof/source.ts";

export interface Language {
  name: string;
  subject: string;
  test: string;
  format: "tap" | "junit";
  argv: readonly string[];
  /** The subject before and with the change, and what uses the change. */
  changes: Record<string, { before: string | undefined; after: string; use: string; wanted: string }>;
  /** A test file, and whether it proves the change. `use` and `wanted` are of the change. */
  tests: Record<string, { proves: boolean; text: (use: string, wanted: string, names: string) => string }>;
}

const nodeHead = (names: string) =>
  `import test from "node:test";\nimport assert from "node:assert";\nimport ${names} from "../src/sums.js";\n`;
const nodeTest = (body: string) => `test("drawn", async () => { ${body} });\n`;
const old = "export const add = (a, b) => a + b;\n";

export const node: Language = {
  ...{ name: "node", subject: "src/sums.js", test: "test/sums.test.js", format: "tap" },
  argv: [process.execPath, "--test", "--test-reporter=tap", "test/sums.test.js"],
  changes: {
    behaviour: { before: old, after: old.replace("a + b", "a + b + 1"), use: "sums.add(1, 2)", wanted: "4" },
    "a new export": {
      before: old,
      after: `${old}export const half = (a) => a / 2;\n`,
      use: "sums.half(4)",
      wanted: "2",
    },
    "a new member": {
      before: `${old}export class Till {}\n`,
      after: `${old}export class Till { total() { return 3; } }\n`,
      ...{ use: "new sums.Till().total()", wanted: "3" },
    },
    "a new option": {
      before: `${old}export const run = (word) => { throw new Error("unknown option " + word); };\n`,
      after: `${old}export const run = () => 7;\n`,
      ...{ use: 'sums.run("--digits")', wanted: "7" },
    },
    "a new route": {
      before: `${old}export const route = () => ({ status: 404 });\n`,
      after: `${old}export const route = () => ({ status: 200 });\n`,
      ...{ use: 'sums.route("/total").status', wanted: "200" },
    },
    "a new file": { before: undefined, after: `${old}`, use: "sums.add(1, 2)", wanted: "3" },
    "not implemented": {
      before: `${old}export const half = () => { throw new Error("not there yet"); };\n`,
      after: `${old}export const half = (a) => a / 2;\n`,
      ...{ use: "sums.half(4)", wanted: "2" },
    },
  },
  tests: {
    "asserts the change": {
      proves: true,
      text: (use, wanted) => nodeHead("* as sums") + nodeTest(`assert.equal(${use}, ${wanted});`),
    },
    "asserts it deeply, beside what stays": {
      proves: true,
      text: (use, wanted) =>
        `${nodeHead("* as sums")}test("stays", () => assert.ok(true));\n${nodeTest(`assert.deepEqual([${use}], [${wanted}]);`)}`,
    },
    "asserts nothing of it": {
      proves: false,
      text: () => nodeHead("* as sums") + nodeTest("assert.equal(typeof sums, 'object');"),
    },
    "asserts what is never so": {
      proves: false,
      text: (use) => nodeHead("* as sums") + nodeTest(`assert.equal(${use}, "never");`),
    },
    "needs a package that is not there": {
      proves: false,
      text: (use, wanted) =>
        `import pad from "no-such-package-of-ours";\n${nodeHead("* as sums")}${nodeTest(`pad; assert.equal(${use}, ${wanted});`)}`,
    },
    "needs it only in one of its tests": {
      proves: false,
      text: (use, wanted) =>
        `${nodeHead("* as sums")}${nodeTest(`assert.equal(${use}, ${wanted});`)}test("other", async () => { await import("no-such-package-of-ours"); });\n`,
    },
    "has a mistake in its syntax": {
      proves: false,
      text: (use) => `${nodeHead("* as sums")}test("drawn", () => { assert.equal(${use}, ); ]`,
    },
    "needs a helper that is not there": {
      proves: false,
      text: (use, wanted) =>
        `import { pad } from "./helper.js";\n${nodeHead("* as sums")}${nodeTest(`pad; assert.equal(${use}, ${wanted});`)}`,
    },
    "throws by itself": { proves: false, text: () => nodeHead("* as sums") + nodeTest('throw new Error("boom");') },
    "uses a name that nobody defines": {
      proves: false,
      text: (use) => nodeHead("* as sums") + nodeTest(`assert.equal(${use}, wnated);`),
    },
    "calls what its library lacks": {
      proves: false,
      text: (use, wanted) => nodeHead("* as sums") + nodeTest(`assert.equls(${use}, ${wanted});`),
    },
    "skips itself": {
      proves: false,
      text: (use, wanted) => `${nodeHead("* as sums")}test.skip("drawn", () => assert.equal(${use}, ${wanted}));\n`,
    },
    "ends its process": {
      proves: false,
      text: (use, wanted) =>
        `${nodeHead("* as sums")}process.exit(0);\n${nodeTest(`assert.equal(${use}, ${wanted});`)}`,
    },
    "is red the first time only": {
      proves: false,
      text: () =>
        `import fs from "node:fs";\n${nodeHead("* as sums")}const there = fs.existsSync("marker");\nfs.writeFileSync("marker", "");\n${nodeTest("assert.ok(there);")}`,
    },
    "swallows what it asserts": {
      proves: false,
      text: (use, wanted) => `${nodeHead("* as sums")}${nodeTest(`try { assert.equal(${use}, ${wanted}); } catch {}`)}`,
    },
  },
};

const pyHead = "import pytest\nfrom shop import sums\n";
const pyTest = (body: string) => `def test_drawn():\n    ${body}\n`;
const pyOld = "def add(a, b):\n    return a + b\n";

export const python: Language = {
  ...{ name: "python", subject: "shop/sums.py", test: "tests/test_sums.py", format: "junit" },
  argv: ["python3", "-m", "pytest", "-q", "-p", "no:cacheprovider", "--junitxml=report.xml", "tests/test_sums.py"],
  changes: {
    behaviour: { before: pyOld, after: pyOld.replace("a + b", "a + b + 1"), use: "sums.add(1, 2)", wanted: "4" },
    "a new function": {
      before: pyOld,
      after: `${pyOld}\ndef half(a):\n    return a / 2\n`,
      use: "sums.half(4)",
      wanted: "2",
    },
    "a new member": {
      before: `${pyOld}\nclass Till:\n    pass\n`,
      after: `${pyOld}\nclass Till:\n    def total(self):\n        return 3\n`,
      ...{ use: "sums.Till().total()", wanted: "3" },
    },
    "a new parameter": {
      before: pyOld,
      after: "def add(a, b, digits=0):\n    return a + b + digits\n",
      use: "sums.add(1, 2, digits=3)",
      wanted: "6",
    },
    "not implemented": {
      before: `${pyOld}\ndef half(a):\n    raise NotImplementedError\n`,
      after: `${pyOld}\ndef half(a):\n    return a / 2\n`,
      ...{ use: "sums.half(4)", wanted: "2" },
    },
    "a new module": { before: undefined, after: pyOld, use: "sums.add(1, 2)", wanted: "3" },
  },
  tests: {
    "asserts the change": { proves: true, text: (use, wanted) => pyHead + pyTest(`assert ${use} == ${wanted}`) },
    "asserts it beside what stays": {
      proves: true,
      text: (use, wanted) =>
        `${pyHead}def test_stays():\n    assert True\n\n${pyTest(`assert [${use}] == [${wanted}]`)}`,
    },
    "asserts nothing of it": { proves: false, text: () => pyHead + pyTest("assert sums is not None") },
    "asserts what is never so": { proves: false, text: (use) => pyHead + pyTest(`assert ${use} == "never"`) },
    "needs a package that is not there": {
      proves: false,
      text: (use, wanted) => `import no_such_package\n${pyHead}${pyTest(`assert ${use} == ${wanted}`)}`,
    },
    "has a mistake in its syntax": {
      proves: false,
      text: (use) => `${pyHead}def test_drawn(:\n    assert ${use} == 1\n`,
    },
    "uses a fixture that nobody defines": {
      proves: false,
      text: (use, wanted) => `${pyHead}def test_drawn(no_such_fixture):\n    assert ${use} == ${wanted}\n`,
    },
    "uses a name that nobody defines": { proves: false, text: (use) => pyHead + pyTest(`assert ${use} == wnated`) },
    "throws by itself": { proves: false, text: () => pyHead + pyTest('raise RuntimeError("boom")') },
    "skips itself": {
      proves: false,
      text: (use, wanted) => `${pyHead}@pytest.mark.skip\n${pyTest(`assert ${use} == ${wanted}`)}`,
    },
    "is expected to fail": {
      proves: false,
      text: (use, wanted) => `${pyHead}@pytest.mark.xfail\n${pyTest(`assert ${use} == ${wanted}`)}`,
    },
    "swallows what it asserts": {
      proves: false,
      text: (use, wanted) =>
        `${pyHead}def test_drawn():\n    try:\n        assert ${use} == ${wanted}\n    except BaseException:\n        pass\n`,
    },
    "calls what its library lacks": {
      proves: false,
      text: (use, wanted) => pyHead + pyTest(`assert pytest.aprox(${use}) == ${wanted}`),
    },
  },
};

export interface Drawn {
  change: string;
  test: string;
}

export const drawnOf = ({ changes, tests }: Language): fc.Arbitrary<Drawn> =>
  fc.record({ change: fc.constantFrom(...Object.keys(changes)), test: fc.constantFrom(...Object.keys(tests)) });

/** They say of a new file that it is there, and no more: red without it, so they count. */
const onlyLoads = new Set([
  ...["asserts nothing of it", "swallows what it asserts", "ends its process", "is expected to fail"],
]);

function reportIn(folder: string): string {
  const file = path.join(folder, "report.xml");
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  rmSync(file, { force: true });
  return text;
}

const runIn = (folder: string, argv: readonly string[]) =>
  new Promise<{ output: string; exit: number }>((resolve) => {
    const [program = "", ...rest] = argv;
    const env = {
      ...process.env,
      NODE_TEST_CONTEXT: undefined,
      NODE_OPTIONS: undefined,
      PYTHONPATH: ".",
      PYTHONDONTWRITEBYTECODE: "1",
    };
    execFile(program, rest, { cwd: folder, env, timeout: 60_000 }, (error, stdout, stderr) =>
      resolve({
        output: `${stdout}${stderr}${reportIn(folder)}`,
        exit: error ? (typeof error.code === "number" ? error.code : 1) : 0,
      }),
    );
  });

/** As the machine judges: red on the base by the subject, green with the change, and red again without it. */
export async function judged(
  language: Language,
  { change, test }: Drawn,
): Promise<{ is: boolean; wanted: boolean; said: string }> {
  const { before, after, use, wanted } = language.changes[change] ?? node.changes["behaviour"]!;
  const { proves, text } = language.tests[test] ?? node.tests["throws by itself"]!;
  const folder = mkdtempSync(path.join(tmpdir(), "fettle-drawn-"));
  const put = (name: string, content: string) => {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), content);
  };
  const subject = (content: string | undefined) =>
    content === undefined
      ? rmSync(path.join(folder, language.subject), { force: true })
      : put(language.subject, content);
  const loads = before === undefined && onlyLoads.has(test);
  try {
    put("package.json", '{"type":"module"}');
    if (language.name === "python") put("shop/__init__.py", "");
    const words = text(use, wanted, "* as sums");
    put(language.test, words);
    subject(before);
    const base = await runIn(folder, language.argv);
    const source = await sourceOf(folder, [language.test, language.subject]);
    const report = readReport(language.format, base.output, source, base.exit);
    const red =
      report.result === "passed"
        ? undefined
        : redBySubject(report, { test: language.test, text: words, subjects: [language.subject], root: folder });
    if (!red) return { is: false, wanted: proves || loads, said: `base: ${report.result} ${report.detail}` };
    subject(after);
    const green = await runIn(folder, language.argv);
    const now = readReport(language.format, green.output, source, green.exit);
    const passed = new Set(now.cases.filter(({ outcome }) => outcome === "passed").map(({ name }) => name));
    const lost = red.failed.some((name) => !passed.has(name));
    if (now.result !== "passed" || green.exit !== 0 || lost)
      return { is: false, wanted: proves || loads, said: `commit: ${now.result} ${now.detail}` };
    subject(before);
    const again = await runIn(folder, language.argv);
    return { is: again.exit !== 0, wanted: proves || loads, said: `taken back: exit ${again.exit}` };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
