// What is known of technologies: which one is meant, what it needs, how its tests are asked, and which commands stay.
import { describe, expect, test } from "vitest";
import { ownProof } from "../../../../src/work/task/stacks/own.ts";
import { binariesOf, installHint, mistakenFor } from "../../../../src/work/task/stacks/binaries.ts";
import { detectStack } from "../../../../src/work/task/stacks/detect.ts";
import {
  isLeftover,
  isLockfile,
  lookAt,
  profileFor,
  profileOf,
  profiles,
  stacksOf,
} from "../../../../src/work/task/stacks/list.ts";
import { commandClass, stateLimitMs } from "../../../../src/work/task/stacks/times.ts";

describe("detection", () => {
  test.each<[string, string[], object]>([
    ["add a React page", [], { stack: "node", by: "words" }],
    ["a Spring Boot endpoint", [], { stack: "java", by: "words" }],
    ["fix the rounding", ["package.json", "src/a.ts"], { stack: "node", by: "files" }],
    ["fix the rounding", ["go.mod", "sums.go", "sums_test.go"], { stack: "go", by: "files" }],
    ["fix the rounding", ["Cargo.toml", "src/lib.rs", "README.md"], { stack: "rust", by: "files" }],
    ["fix the rounding", ["pubspec.yaml", "lib/a.dart"], { stack: "dart", by: "files" }],
    // Words choose among what is there, and bring nothing in that is not.
    [
      "the Django view is wrong",
      ["package.json", "web/a.ts", "api/manage.py", "api/b.py"],
      { stack: "python", by: "words" },
    ],
    ["like the React page did it", ["pyproject.toml", "a.py", "b.py"], { stack: "python", by: "files" }],
    // Halves of the same size: nobody can tell.
    ["fix the rounding", ["package.json", "web/a.ts", "pyproject.toml", "api/b.py"], { ask: ["node", "python"] }],
    ["fix the rounding", ["Makefile"], { ask: profiles.map(({ name }) => name) }],
  ])("%s %j", (request, files, found) => expect(detectStack(request, files)).toEqual(found));
  test("by what a model calls it", () => {
    expect(["Node.js", "TypeScript", "golang", "Flutter", "rust"].map((name) => profileOf(name)?.name)).toEqual([
      "node",
      "node",
      "go",
      "dart",
      "rust",
    ]);
    expect(profileOf("cobol")).toBeUndefined();
  });
  test("several at once", () =>
    expect(stacksOf(["package.json", "Dockerfile", "x.py"])).toEqual(["node", "python", "docker"]));
});

test("programs that commands need, with what these need, and none of the repository's own", () => {
  expect(
    binariesOf([
      "cd api && ./gradlew test | tee out.txt",
      "npx --no-install vitest run",
      "export A=1; for x in 1 2; do python3 x.py; done",
    ]),
  ).toEqual(["java", "node", "npx", "python3", "tee"]);
  expect(binariesOf([], "rust")).toEqual(["cargo", "rustc"]);
  expect(binariesOf(["$RUNNER x", "node_modules/.bin/jest"])).toEqual([]);
  expect(binariesOf(["constructor x"])).toEqual(["constructor"]);
  expect(installHint("mvn", "linux")).toBe("mvn is not installed: apt install maven, or https://maven.apache.org.");
  expect(installHint("mvn", "darwin")).toContain("brew install maven");
  for (const name of ["frobnicate", "constructor"])
    expect(installHint(name, "linux")).toBe(`${name} is not installed, or not on the PATH.`);
});

test("a program that only backticks in double quotes name is told as what it is", () => {
  const command = 'grep -q "Use `-x` here" README.md';
  expect(binariesOf([command])).toEqual(["-x", "grep"]);
  expect(mistakenFor("-x", ["npm test", command])).toMatch(
    /backticks .* grep -q "Use `-x` here" README.md runs -x; single/,
  );
  expect(mistakenFor("grep", [command])).toBeUndefined();
  expect(mistakenFor("jq", ['echo "`jq . a`"', "jq . b"])).toBeUndefined();
  expect(mistakenFor("x", ["grep -q 'Use `x`' README.md"])).toBeUndefined();
});

test("classes of commands by design B, and longer states where compilers are slow", () => {
  const classes = [
    "docker build .",
    "docker compose up",
    "mvn package",
    "cargo build",
    "npm install",
    "go mod tidy",
    "pytest",
    "mvn test",
    "go test ./...",
    "alembic upgrade head",
    "echo x",
  ];
  expect(classes.map(commandClass)).toEqual([
    "image",
    "image",
    "build",
    "build",
    "install",
    "install",
    "test",
    "test",
    "test",
    "migration",
    "other",
  ]);
  expect(commandClass("echo x && docker build .")).toBe("image");
  expect(
    [
      stateLimitMs(profileOf("java"), 15 * 60_000),
      stateLimitMs(profileOf("unheard of"), 15 * 60_000),
      stateLimitMs(profileOf("docker"), 200 * 60_000),
    ].map((ms) => ms / 60_000),
  ).toEqual([45, 15, 90]);
});

describe("how a test is asked for its report", () => {
  const ask = async (test: string, files: Record<string, string>, command?: string) => {
    const names = [...Object.keys(files), test];
    const look = await lookAt(names, (name) => Promise.resolve(files[name]), command);
    return profileFor(test)?.proof?.(test, look);
  };
  test.each<[string, Record<string, string>, string | undefined, string, string]>([
    ["test/a.test.js", { "package.json": "{}" }, undefined, "tap", "node --test --test-reporter=tap test/a.test.js"],
    ["test/a.test.js", { "package.json": "null" }, undefined, "tap", "node --test --test-reporter=tap test/a.test.js"],
    [
      "test/a.test.ts",
      { "package.json": '{"devDependencies":{"vitest":"1"}}' },
      undefined,
      "vitest-json",
      'r=$(mktemp); node_modules/.bin/vitest run --reporter=json --outputFile="$r" test/a.test.ts; s=$?; cat "$r"; exit $s',
    ],
    [
      "a.test.js",
      { "package.json": '{"devDependencies":{"jest":"1","vitest":"1"}}' },
      "npx jest",
      "jest-json",
      "node_modules/.bin/jest --json --runTestsByPath a.test.js",
    ],
    [
      "a.spec.js",
      { "package.json": '{"scripts":{"test":"mocha"},"devDependencies":{"vitest":"1"}}' },
      undefined,
      "mocha-json",
      "node_modules/.bin/mocha --reporter json --ignore '**/!(a.spec.js)' a.spec.js",
    ],
    [
      "web/t/a b.test.ts",
      { "package.json": "{}", "web/package.json": '{"devDependencies":{"vitest":"1"}}' },
      undefined,
      "vitest-json",
      `cd web && r=$(mktemp); npx --no-install vitest run --reporter=json --outputFile="$r" 't/a b.test.ts'; s=$?; cat "$r"; exit $s`,
    ],
    [
      "tests/test_a.py",
      { "requirements.txt": "pytest" },
      undefined,
      "junit",
      'r=$(mktemp); python3 -m pytest -q -p no:cacheprovider --junitxml="$r" tests/test_a.py; s=$?; cat "$r"; exit $s',
    ],
    ["tests/test_a.py", {}, "python3 -m unittest discover", "unittest", "python3 -m unittest -v tests/test_a.py"],
    [
      "src/test/java/p/ATest.java",
      { "pom.xml": "<project/>" },
      undefined,
      "junit",
      "r=$(mktemp); mvn -o -q -B test -Dtest=p.ATest; s=$?; find . -path '*/surefire-reports/TEST-*.xml' -newer \"$r\" -exec cat {} +; exit $s",
    ],
    [
      "core/src/test/java/p/ATest.java",
      { "build.gradle": "", "core/build.gradle.kts": "", gradlew: "" },
      undefined,
      "junit",
      "cd core && r=$(mktemp); ../gradlew --offline -q test --tests p.ATest; s=$?; find . -path '*/test-results/*/TEST-*.xml' -newer \"$r\" -exec cat {} +; exit $s",
    ],
    ["pkg/sums/sums_test.go", { "go.mod": "module m" }, undefined, "go-json", "go test -json -count=1 ./pkg/sums"],
    [
      "tests/sums.rs",
      { "Cargo.toml": "[package]" },
      undefined,
      "libtest",
      "cargo test --offline --no-fail-fast --color never --test sums",
    ],
    [
      "core/src/sums/tests.rs",
      { "Cargo.toml": "[workspace]", "core/Cargo.toml": "[package]" },
      undefined,
      "libtest",
      "cd core && cargo test --offline --no-fail-fast --color never sums::tests::",
    ],
    [
      "test/a_test.dart",
      { "pubspec.yaml": "name: a" },
      undefined,
      "dart-json",
      "dart test --reporter json test/a_test.dart",
    ],
    [
      "test/a_test.dart",
      { "pubspec.yaml": "dependencies:\n  flutter:\n    sdk: flutter" },
      undefined,
      "dart-json",
      "flutter test --no-pub --machine test/a_test.dart",
    ],
  ])("%s %j", async (...[test, files, command, format, expected]) => {
    expect(await ask(test, files, command)).toEqual({ command: expected, format });
  });
  test("a target of make is no folder, and the whole of it runs", async () => {
    const look = await lookAt(["Makefile"], () => Promise.resolve(undefined), "make test");
    expect(ownProof("test/ATest.java", look)).toEqual({ command: "make test", format: "any", whole: true });
  });
  test("nobody can be asked where nothing is known", async () => {
    expect(profileFor("spec/a_spec.rb")).toBeUndefined();
    expect(await ask("src/test/java/p/ATest.java", {})).toBeUndefined();
  });
});

test("leftovers are of tools, lockfiles of every stack", () => {
  expect(
    ["a/__pycache__/x.pyc", "target/debug/x", "target/classes/A.class", "build/test-results/x.xml"].map(isLeftover),
  ).toEqual([true, true, true, true]);
  expect(["build/deploy.sh", "target/notes.md", "coverage/readme.md", "src/a.ts"].map(isLeftover)).toEqual([
    false,
    false,
    false,
    false,
  ]);
  expect(["Cargo.lock", "x/go.sum", "pubspec.lock", "composer.lock", "package.json"].map(isLockfile)).toEqual([
    true,
    true,
    true,
    true,
    false,
  ]);
});
