// Which checks a repository declares: read from manifests, build files, CI, instructions and the request.
import { describe, expect, test } from "vitest";
import type { Plan } from "../../../src/protocol/plan.ts";
import type { RehearsedCheck } from "../../../src/protocol/rehearsal.ts";
import { inWorkingForm } from "../../../src/work/task/checks/working-form.ts";
import { ownChecks } from "../../../src/work/task/checks/own-checks.ts";
import { rehearsalText, rehearse } from "../../../src/work/task/checks/rehearse.ts";
import { lookAt } from "../../../src/work/task/stacks/list.ts";
import type { CommandRun } from "../../../src/work/task/world/commands.ts";

const checksOf = async (files: Record<string, string>, asked: Parameters<typeof ownChecks>[1] = {}) =>
  ownChecks(await lookAt(Object.keys(files), (name) => Promise.resolve(files[name])), asked);
const scripts = (all: Record<string, string>, more = {}) => JSON.stringify({ ...more, scripts: all });
const told = async (...about: Parameters<typeof checksOf>) =>
  (await checksOf(...about)).checks.map(({ kind, command, from }) => `${kind}: ${command} (${from})`);

describe("workspaces", () => {
  test("of npm: members by themselves where the top only goes through them; a script of the top stays, one that mends does not", async () => {
    const files = {
      "package.json": scripts(
        { test: "npm test --workspaces", lint: "eslint .", "lint:fix": "eslint -c x .", lints: "eslint --fix ." },
        { workspaces: ["packages/*"] },
      ),
      "packages/a/package.json": scripts({ test: "vitest run", lint: "eslint ." }),
      "packages/b/package.json": scripts({ test: "node --test", "test:watch": "node --test --watch" }),
    };
    expect(await told(files)).toEqual([
      "test: cd packages/a && npm test (packages/a/package.json)",
      "test: cd packages/b && npm test (packages/b/package.json)",
      "lint: npm run lint (package.json)",
    ]);
    const { checks } = await checksOf(files);
    expect(checks.map(({ run }) => run.command)).toEqual([
      expect.stringMatching(/^cd packages\/a && r=.*npx --no-install vitest run --reporter=json/),
      "cd packages/b && node --test --test-reporter=tap",
      "npm run lint",
    ]);
    const own = { ...files, "package.json": scripts({ test: "jest" }), "pnpm-lock.yaml": "" };
    expect((await told(own))[0]).toBe("test: pnpm test (package.json)");
  });

  test("a script that is a chain of checks gives way to them, any other stays", async () => {
    const told1 = async (all: Record<string, string>) => told({ "package.json": scripts(all) });
    const parts = { lint: "eslint .", "test:unit": "node --test", "test:types": "tsd" };
    expect(await told1({ test: "npm run lint && npm run test:unit && npm run test:types", ...parts })).toEqual([
      "test: npm run test:unit (package.json)",
      "test: npm run test:types (package.json)",
      "lint: npm run lint (package.json)",
    ]);
    expect(await told1({ test: "eslint . && c8 node --test" })).toEqual([
      "test: npx --no-install c8 node --test (package.json)",
      "lint: npx --no-install eslint . (package.json)",
    ]);
    for (const test of ["npm run clean && npm run test:unit", "npm run lint; npm run test:unit", "npm run test:unit"])
      expect((await told1({ test, clean: "rm -rf out", ...parts }))[0]).toBe("test: npm test (package.json)");
    // What the tests are run on may be made by what stands before them.
    for (const test of [
      "npm run build && npm run test:unit",
      "tsc && npm run test:unit",
      "npm run types && npm run test:unit",
    ])
      expect((await told1({ test, build: "tsc", types: "tsc -p .", ...parts }))[0]).toBe(
        "test: npm test (package.json)",
      );
    expect(await told1({ test: "tsc --noEmit && npm run test:unit", ...parts })).toHaveLength(3);
    const around = { pretest: "npm run clean", test: "npm run lint && npm run test:unit", ...parts };
    expect((await told1(around))[0]).toBe("test: npm test (package.json)");
  });

  test("of cargo and go", async () => {
    expect(await told({ "Cargo.toml": "[workspace]\nmembers=['a']", "a/Cargo.toml": "[package]" })).toEqual([
      "test: cargo test --workspace (Cargo.toml)",
    ]);
    const work = { "go.work": "go 1.19\n\nuse (\n\t./a\n\t./b\n)\n", "a/go.mod": "module a", "b/go.mod": "module b" };
    expect(await told(work)).toEqual(["test: go test ./a/... ./b/... (go.work)"]);
  });
});

describe("the CI", () => {
  const workflow = `
name: ci
env: { TZ: UTC }
on: push
jobs:
  test:
    runs-on: ubuntu-latest
    strategy: { matrix: { python: ["3.9", "3.12"] } }
    services: { postgres: { image: "postgres:16" } }
    env:
      PYTHONPATH: src
      TOKEN: \${{ secrets.TOKEN }}
    steps:
      - uses: actions/checkout@v4
      - run: pip install -e .[dev]
      - name: Tests
        run: |
          python -m pytest \\
            -m "not slow"
          twine upload dist/*
      - run: ruff check . && mypy src
      - run: pytest \${{ matrix.extra }}
  web:
    defaults: { run: { working-directory: web } }
    steps:
      - run: npm ci
      - run: npm test -- --coverage
      - run: npm run build
`;

  test("of GitHub: its commands with variables, folder, services and matrix, and one with the script that they are", async () => {
    const files = {
      ".github/workflows/ci.yml": workflow,
      "pyproject.toml": "[tool.pytest.ini_options]\n[tool.ruff]\n",
      "src/shop/__init__.py": "",
      "web/package.json": scripts({ test: "vitest run", build: "vite build" }),
    };
    const { checks, matrix } = await checksOf(files);
    expect(checks.map(({ kind, command }) => [kind, command])).toEqual([
      ["test", "cd web && npm test"],
      ["test", 'python -m pytest -m "not slow"'],
      ["lint", "ruff check ."],
      ["types", "mypy src"],
      ["build", "cd web && npm run build"],
    ]);
    expect(matrix).toEqual(["python 3.9, 3.12 (.github/workflows/ci.yml)"]);
    const python = checks[1];
    expect(python?.needs).toEqual(["postgres, a service of the CI", "TOKEN, which the CI sets"]);
    expect(python?.run.one).toContain('python -m pytest -m "not slow" {file} -q');
    const others = python?.others.map(({ command }) => /(?:[A-Z]+=\S+ )*\S+ -m pytest/.exec(command)?.[0]);
    expect(others).toEqual([
      "TZ=UTC PYTHONPATH=src python -m pytest",
      "TZ=UTC PYTHONPATH=src python3 -m pytest",
      "python3 -m pytest",
      "PYTHONPATH=src python3 -m pytest",
    ]);
  });

  test("of GitLab, and a file that is no YAML says nothing", async () => {
    const pipeline = `
image: golang:1.22
variables: { GOTOOLCHAIN: local }
stages: [test]
unit:
  services: ["redis:7"]
  parallel: { matrix: [{ GO: ["1.21", "1.22"] }] }
  before_script: [apt-get update]
  script:
    - cd server
    - go vet ./...
    - go test ./... -race
`;
    const { checks, matrix } = await checksOf({ ".gitlab-ci.yml": pipeline, "server/go.mod": "module x" });
    expect(checks.map(({ kind, command, needs }) => [kind, command, needs])).toEqual([
      ["test", "cd server && go test ./... -race", ["redis:7, a service of the CI"]],
      ["lint", "cd server && go vet ./...", ["redis:7, a service of the CI"]],
    ]);
    expect(matrix).toEqual(["GO 1.21, 1.22 (.gitlab-ci.yml)"]);
    expect(await told({ ".gitlab-ci.yml": "a: [\n  b: }" })).toEqual([]);
  });
});

test("tox, nox, make and just: what each name stands for, so that their own report can be read", async () => {
  const tox = `
[tox]
envlist = py39, lint
[testenv]
deps = pytest
setenv =
    PYTHONPATH = {toxinidir}/src
commands =
    pytest {posargs:tests} --cov=shop
[testenv:lint]
commands = flake8 src
`;
  const { checks } = await checksOf({ "tox.ini": tox, "pyproject.toml": "[tool.pytest]", "src/shop/__init__.py": "" });
  expect(checks.map(({ kind, command, from, run }) => [kind, command, from, run.format])).toEqual([
    ["test", "pytest tests --cov=shop", "tox.ini, testenv", "junit"],
    ["lint", "flake8 src", "tox.ini, testenv:lint", "any"],
  ]);
  expect(checks[0]?.run.one).toMatch(/ pytest {file} -q /);
  expect(checks[0]?.others[0]?.command).toContain("PYTHONPATH=./src pytest tests");
  const nox =
    'import nox\n@nox.session\ndef tests(session):\n    session.install("pytest")\n    session.run("pytest", "-x", *session.posargs)\n    session.run("mypy", "src", external=True)\n';
  expect(await told({ "noxfile.py": nox })).toEqual(["test: pytest -x (noxfile.py)", "types: mypy src (noxfile.py)"]);
  const make =
    "PY = python3\n.PHONY: test\ntest:\n\tpython3 -m pytest -q\nlint: deps\n\truff check .\ncheck: test lint\n";
  const made = await checksOf({ Makefile: make, "tests/test_a.py": "" });
  expect(made.checks.map(({ command, run }) => [command, run.format])).toEqual([
    ["make test", "junit"],
    ["make lint", "any"],
  ]);
  const just = await checksOf({ justfile: "default: test\n\n@test *ARGS:\n    cargo test\n", "Cargo.toml": "" });
  expect(just.checks.map(({ command, run }) => [command, run.format])).toEqual([["just test", "libtest"]]);
});

test("instructions and the request: only what is written as code, the person's word first", async () => {
  const agents =
    "# How\nRun `npm run test:unit` before you commit, never `npm publish`.\n```sh\nnpm run lint\nnpx vitest run src/a.test.ts\n```\nrun npm run types\n";
  const files = {
    "AGENTS.md": agents,
    "package.json": scripts({ test: "vitest", "test:unit": "vitest run --dir src" }),
  };
  expect(await told(files, { request: "mend it; `npx vitest run --project slow` shows it" })).toEqual([
    "test: npx vitest run --project slow (your request)",
    "test: npm test (package.json)",
    "test: npm run test:unit (AGENTS.md)",
    "lint: npm run lint (AGENTS.md)",
  ]);
});

test("what counts coverage or sets variables around a runner is kept for the suite, and left out for one file", async () => {
  const { checks } = await checksOf({
    "package.json": scripts({ test: "cross-env TZ=UTC mocha --require ./setup.js 'spec/**/*.js'", "test:cov": "x" }),
    "a/package.json": scripts({ test: "nyc --reporter=text mocha spec" }),
  });
  expect(checks.map(({ run }) => [run.command, run.one])).toEqual([
    [
      "TZ=UTC node_modules/.bin/mocha --require ./setup.js 'spec/**/*.js' --reporter json",
      "TZ=UTC node_modules/.bin/mocha --require ./setup.js --reporter json --ignore '**/!({base})' {file}",
    ],
    [
      "cd a && npx --no-install nyc --reporter=text npx --no-install mocha spec --reporter json",
      "cd a && npx --no-install mocha --reporter json --ignore '**/!({base})' {file}",
    ],
  ]);
});

test("a planned command of a runner that works only in another form is put into that form, and keeps what it sets itself", () => {
  const check = (command: string, run: string): RehearsedCheck => ({
    ...{ kind: "test", command, run, from: "", format: "junit", exit: 0, ms: 0, result: "works" },
  });
  const put = (command: string, ...checks: RehearsedCheck[]) => {
    const none = { run: [], background: [], verification: [] };
    const plan = { ...none, commands: { test: command }, acceptance: [{ claim: "", command }] };
    const { commands, acceptance } = inWorkingForm(plan as unknown as Plan, { commit: "", checks });
    expect(acceptance[0]?.command).toBe(commands.test);
    return commands.test;
  };
  const source = check(
    "pytest -q",
    'r=$(mktemp); PYTHONPATH=src python3 -m pytest -q --junitxml="$r"; s=$?; cat "$r"; exit $s',
  );
  expect(put("pytest -q tests/test_a.py", source)).toBe("PYTHONPATH=src python3 -m pytest -q tests/test_a.py");
  expect(put("python3 -m pytest -q 2>&1 | tail", source)).toBe("PYTHONPATH=src python3 -m pytest -q 2>&1 | tail");
  expect(put("PYTHONPATH=lib pytest", source)).toBe("PYTHONPATH=lib python3 -m pytest");
  expect(put("PYTHONPATH=src python -m pytest tests/a.py", source)).toBe("PYTHONPATH=src python3 -m pytest tests/a.py");
  expect(put("python -c 'import shop'", source)).toBe("PYTHONPATH=src python3 -c 'import shop'");
  expect(put("cd a && pytest", source)).toBe("cd a && pytest");
  expect(put("npm test", source)).toBe("npm test");
  expect(put("pytest", check("pytest", "pytest -q"))).toBe("pytest");
  // Names of one program: the one that was tried is taken, and another that was tried as well stays.
  const plain = check("python3 -m pytest", "python3 -m pytest -q");
  expect(put("python -m pytest -q tests/test_a.py", plain)).toBe("python3 -m pytest -q tests/test_a.py");
  expect(put("python scripts/look.py", plain)).toBe("python3 scripts/look.py");
  expect(put("python -m mypy src", plain)).toBe("python3 -m mypy src");
  expect(put("pytest -q", plain)).toBe("python3 -m pytest -q");
  expect(put(".venv/bin/python -m pytest", plain)).toBe(".venv/bin/python -m pytest");
  const both = [plain, { ...check("python -m mypy src", "python -m mypy src"), kind: "types" as const }];
  expect(put("python -m mypy src", ...both)).toBe("python -m mypy src");
  const inner = check("cd a && pytest", "cd a && PYTHONPATH=src python3 -m pytest -q");
  expect(put("cd a && python -m pytest b.py", inner)).toBe("cd a && PYTHONPATH=src python3 -m pytest b.py");
  const built = check("npm test", "npm run build && node --test --test-reporter=tap");
  expect(put("node --test test/a.test.js", built)).toBe("npm run build && node --test test/a.test.js");
  expect(put("npx vitest run a", check("npm test", "TZ=UTC node_modules/.bin/vitest run"))).toBe(
    "TZ=UTC npx vitest run a",
  );
});

describe("tried", () => {
  const ran = (output: string, exit = 0): CommandRun => ({ command: "", exit, ended: "exited", output, digest: "" });
  const junit = '<testsuite><testcase classname="t" name="a"/></testsuite>';

  test("with the CI's variables, or by the virtual environment, where it does not run as it is declared", async () => {
    const files = { "pyproject.toml": "[tool.pytest]", "src/shop/__init__.py": "" };
    const { checks } = await checksOf(files, { venv: ".venv" });
    const asked: string[] = [];
    const found = await rehearse(
      checks[0] as never,
      async (command) => {
        asked.push(/(?:[A-Z]+=\S+ )*\S+ -m pytest/.exec(command)?.[0] ?? "");
        return command.includes(".venv/bin/python") ? ran(junit) : ran("No module named pytest", 1);
      },
      () => 0,
    );
    expect(asked).toEqual(["python3 -m pytest", "PYTHONPATH=src .venv/bin/python -m pytest"]);
    expect(found).toMatchObject({ result: "works", one: expect.stringContaining("PYTHONPATH=src .venv/bin/python") });
    expect(rehearsalText({ commit: "", checks: [found], matrix: ["python 3.9 (ci.yml)"] }).join("\n")).toContain(
      "works: 1 passed, 0 failed, 0 skipped, 0 s; runs as: PYTHONPATH=src .venv/bin/python -m pytest -q; one file: PYTHONPATH=src .venv/bin/python -m pytest FILE -q; one test: PYTHONPATH=src .venv/bin/python -m pytest FILE -k NAME -q\nThe CI also varies: python 3.9 (ci.yml).",
    );
  });
});
