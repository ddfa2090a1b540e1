// The commands that fettle asks with and the reports that it reads, by the real tools: red, broken and green are told
// apart. What is not installed is skipped, and says so.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { readReport, type TestReport } from "../../../../../src/work/task/proof/report.ts";
import { culprit } from "../../../../../src/work/task/healing/errors.ts";
import { lookAt, profileFor } from "../../../../../src/work/task/stacks/list.ts";

const root = mkdtempSync(path.join(os.tmpdir(), "fettle-toolchains-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

interface Scene {
  name: string;
  there: boolean;
  files: Record<string, string>;
  test: string;
  /** The subject: wrong, without what the test takes, and right. */
  subject: string;
  wrong: string;
  broken: string;
  right: string;
  testCommand?: string;
}

/** As fettle runs commands: both outputs in one pipe that a child of Node gets. */
function run(command: string, cwd: string): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn("bash", ["-c", `exec 2>&1; ${command}`], {
      cwd,
      env: { ...process.env, CI: "1", RUST_BACKTRACE: "0" },
    });
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.on("close", () => resolve(output));
  });
}

const works = (program: string, ...args: string[]): boolean =>
  spawnSync(program, args, { timeout: 20_000 }).status === 0;
const plugins = path.join(os.homedir(), ".m2/repository/org/apache/maven/plugins");
const maven = ["maven-surefire-plugin/3.2.5", "maven-compiler-plugin/3.13.0", "maven-resources-plugin/3.3.1"].every(
  (name) => existsSync(path.join(plugins, name)),
);

/** A program of a second is over before the second compiler has paid for itself. */
const quickJvm = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";
const pom = `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion><groupId>g</groupId><artifactId>sums</artifactId><version>1</version>
<properties><maven.compiler.release>17</maven.compiler.release><project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>
<dependencies><dependency><groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter</artifactId><version>5.10.2</version><scope>test</scope></dependency></dependencies>
<build><plugins><plugin><artifactId>maven-resources-plugin</artifactId><version>3.3.1</version></plugin><plugin><artifactId>maven-compiler-plugin</artifactId><version>3.13.0</version></plugin><plugin><artifactId>maven-surefire-plugin</artifactId><version>3.2.5</version><configuration><argLine>${quickJvm}</argLine></configuration></plugin></plugins></build></project>`;
const javaClass = (body: string) => `package p;\npublic class Sums { ${body} }\n`;

const scenes: Scene[] = [
  {
    name: "node:test",
    there: works("node", "--version"),
    files: { "package.json": '{"type":"module"}' },
    test: "test/sums.test.js",
    subject: "sums.js",
    wrong: "export const add = (a, b) => a - b;",
    broken: "export const sub = 1;",
    right: "export const add = (a, b) => a + b;",
  },
  {
    name: "pytest",
    there: works("python3", "-m", "pytest", "--version"),
    files: { "requirements.txt": "pytest\n", "conftest.py": "" },
    test: "test_sums.py",
    subject: "sums.py",
    wrong: "def add(a, b):\n    return a - b\n",
    broken: "sub = 1\n",
    right: "def add(a, b):\n    return a + b\n",
  },
  {
    name: "unittest",
    there: works("python3", "--version"),
    files: {},
    test: "test_sums.py",
    subject: "sums.py",
    wrong: "def add(a, b):\n    return a - b\n",
    broken: "def add(a, b:\n",
    right: "def add(a, b):\n    return a + b\n",
    testCommand: "python3 -m unittest",
  },
  {
    name: "cargo",
    there: works("cargo", "--version"),
    files: { "Cargo.toml": '[package]\nname = "sums"\nversion = "0.1.0"\nedition = "2021"\n' },
    test: "tests/adding.rs",
    subject: "src/lib.rs",
    wrong: "pub fn add(a: i32, b: i32) -> i32 { a - b }\n",
    broken: "pub fn sub() {}\n",
    right: "pub fn add(a: i32, b: i32) -> i32 { a + b }\n",
  },
  {
    name: "maven",
    there: maven && works("mvn", "--version"),
    files: { "pom.xml": pom, ".mvn/jvm.config": `${quickJvm}\n` },
    test: "src/test/java/p/SumsTest.java",
    subject: "src/main/java/p/Sums.java",
    wrong: javaClass("public static int add(int a, int b) { return a - b; }"),
    broken: javaClass("static int sub() { return 0; }"),
    right: javaClass("public static int add(int a, int b) { return a + b; }"),
  },
];

const tests: Record<string, string> = {
  "node:test":
    'import { test } from "node:test";\nimport assert from "node:assert/strict";\nimport { add } from "../sums.js";\ntest("adds", () => assert.equal(add(1, 2), 3));\n',
  pytest: "from sums import add\ndef test_add():\n    assert add(1, 2) == 3\n",
  unittest:
    "import unittest\nfrom sums import add\nclass Sums(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(add(1, 2), 3)\n",
  cargo: "#[test]\nfn adds() {\n    assert_eq!(sums::add(1, 2), 3);\n}\n",
  maven:
    "package p;\nimport static org.junit.jupiter.api.Assertions.*;\nimport org.junit.jupiter.api.Test;\nclass SumsTest { @Test void adds() { assertEquals(3, Sums.add(1, 2)); } }\n",
};

function put(folder: string, name: string, text: string): void {
  mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
  writeFileSync(path.join(folder, name), text);
}

describe("real tools", () => {
  test.each(scenes)("$name", async (scene) => {
    if (!scene.there) {
      process.stderr.write(`${scene.name} is not installed here, so nothing was tried with it\n`);
      return;
    }
    const folder = path.join(root, scene.name.replace(":", "-"));
    const files: Record<string, string> = { ...scene.files, [scene.test]: tests[scene.name] ?? "" };
    for (const [name, text] of Object.entries(files)) put(folder, name, text);
    const look = await lookAt(
      [...Object.keys(files), scene.subject],
      (name) => Promise.resolve(files[name]),
      scene.testCommand,
    );
    const proof = profileFor(scene.test)?.proof?.(scene.test, look);
    if (!proof) throw new Error("it cannot be asked");
    let at = 0;
    const came = async (text: string): Promise<TestReport & { output: string }> => {
      put(folder, scene.subject, text);
      // Python knows what it has compiled by size and second.
      at = Math.max(at + 1, Math.ceil(Date.now() / 1000));
      utimesSync(path.join(folder, scene.subject), at, at);
      const output = await run(proof.command, folder);
      return { ...readReport(proof.format, output), output };
    };
    const red = await came(scene.wrong);
    expect([red.result, red.failed.length], red.output).toEqual(["assertion", 1]);
    // The reports of the run before lie about still: they must not be taken for this one's.
    const broken = await came(scene.broken);
    expect([broken.result, broken.cause], broken.output).toEqual(["error", "load"]);
    expect(culprit(broken.output, [scene.test, scene.subject], folder)).toBeDefined();
    const green = await came(scene.right);
    expect([green.result, green.passed], green.output).toEqual(["passed", 1]);
  });
});
