// Commands that run several checks one after the other: what stands behind a red one is judged, too.
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { RehearsedCheck } from "../../../src/protocol/rehearsal.ts";
import { judgeFloor } from "../../../src/work/task/checks/floor.ts";
import { ownChecks } from "../../../src/work/task/checks/own-checks.ts";
import { inParts, rehearsalText, rehearse } from "../../../src/work/task/checks/rehearse.ts";
import { departures, floorOf } from "../../../src/work/task/machine/floor.ts";
import { lookAt } from "../../../src/work/task/stacks/list.ts";
import type { CommandRun } from "../../../src/work/task/world/commands.ts";

type State = "green" | "red" | "a test is red";

/** A folder in which the scripts of a package.json run by a real shell; npm and its kin are small programs of the same shape. */
class Folder implements Disposable {
  readonly at = mkdtempSync(path.join(tmpdir(), "chains-"));

  constructor(scripts: Record<string, string>, names: readonly string[]) {
    for (const folder of ["bin", "scripts", "parts", "state"]) mkdirSync(path.join(this.at, folder));
    for (const [name, text] of Object.entries(scripts)) this.#put(`scripts/${name}`, text);
    const around = 'for s in "pre$1" "$1" "post$1"; do [ ! -f "scripts/$s" ] || sh "scripts/$s" || exit 1; done';
    this.#program("npm", `[ "$1" != run ] || shift\n${around}`);
    this.#program("run-s", `for n; do npm run "$n" || exit 1; done`);
    this.#program("npx", 'shift\n"$@"');
    const part = 'n=$1; s=$(cat "state/$n"); [ "$s" = red ] && exit 1\n';
    const tap =
      'echo "TAP version 13"; echo "ok 1 - $n a"; [ "$s" = green ] && exit 0; echo "not ok 2 - $n old"; exit 1';
    for (const name of names) this.#put(`parts/${name}`, `set -- ${name}; ${part}${tap}`);
  }

  #put = (name: string, text: string) => writeFileSync(path.join(this.at, name), `${text}\n`);
  #program(name: string, text: string): void {
    this.#put(`bin/${name}`, `#!/bin/sh\n${text}`);
    chmodSync(path.join(this.at, "bin", name), 0o755);
  }

  set(states: Record<string, State>): void {
    for (const [name, state] of Object.entries(states)) this.#put(`state/${name}`, state);
  }

  run = (command: string): CommandRun => {
    const env = { PATH: `${path.join(this.at, "bin")}:/usr/bin:/bin` };
    const { status, stdout, stderr } = spawnSync("/bin/sh", ["-c", command], { cwd: this.at, env, encoding: "utf8" });
    return { command, exit: status, ended: "exited", output: `${stdout}${stderr}`, digest: "" };
  };

  [Symbol.dispose](): void {
    rmSync(this.at, { recursive: true });
  }
}

const rehearsed = async (files: Record<string, string>, run: Folder["run"]) => {
  const own = await ownChecks(await lookAt(Object.keys(files), (name) => Promise.resolve(files[name])));
  const checks: RehearsedCheck[] = [];
  for (const check of own.checks)
    checks.push(
      ...(await inParts(check, (one) =>
        rehearse(
          one,
          (text) => Promise.resolve(run(text)),
          () => 0,
        ),
      )),
    );
  return { commit: "", checks, untried: own.untried };
};

const name = fc.constantFrom("docs", "unit", "lint", "types", "verify", "e2e", "build", "spec", "readme", "test-old");
const state = fc.constantFrom<State>("green", "green", "red", "a test is red");
const parts = fc.uniqueArray(fc.record({ name, before: state, after: state, inline: fc.boolean() }), {
  ...{ minLength: 2, maxLength: 4, selector: (each: { name: string }) => each.name },
});
const form = fc.constantFrom("&&", ";", "\n", "run-s", "nested", "around");

type Parts = { name: string; before: State; after: State; inline: boolean }[];

function scriptsOf(all: Parts, how: string): Record<string, string> {
  const bodies = Object.fromEntries(all.map((each) => [each.name, `sh parts/${each.name}`]));
  const calls = all.map(({ name: each, inline }) => (inline ? `sh parts/${each}` : `npm run ${each}`));
  const [first = "", ...rest] = calls;
  if (how === "run-s") return { ...bodies, test: `run-s ${all.map((each) => each.name).join(" ")}` };
  if (how === "nested") return { ...bodies, more: rest.join(" && "), test: `${first} && npm run more` };
  if (how === "around") return { ...bodies, pretest: first, test: rest.join(" && ") };
  return { ...bodies, test: calls.join(how === "\n" ? "\n" : ` ${how} `) };
}

test("property: no part of a chain that was green before and is red after is ever behind “all shown”, and what stays as it was is shown", async () => {
  await fc.assert(
    fc.asyncProperty(parts, form, fc.boolean(), async (all, how, stays) => {
      const scripts = scriptsOf(all, how);
      using folder = new Folder(
        scripts,
        all.map((each) => each.name),
      );
      folder.set(Object.fromEntries(all.map((each) => [each.name, each.before])));
      const rehearsal = await rehearsed({ "package.json": JSON.stringify({ scripts }) }, folder.run);
      const floor = floorOf({ rehearsal });
      if (!stays) folder.set(Object.fromEntries(all.map((each) => [each.name, each.after])));
      const shown = floor.every((check) => judgeFloor(check, folder.run(check.run)).ok);
      const lost = all.filter(({ before, after }) => !stays && before === "green" && after !== "green");
      if (lost.length > 0) expect(shown, JSON.stringify([scripts, all, rehearsal.checks])).toBe(false);
      if (stays) expect(shown, JSON.stringify([scripts, all, rehearsal.checks])).toBe(true);
    }),
    {
      numRuns: 10,
      examples: ["&&", ";", "run-s", "nested"].map((how) => [
        [
          { name: "unit", before: "a test is red", after: "a test is red", inline: false },
          { name: "docs", before: "green", after: "red", inline: false },
        ],
        how,
        false,
      ]),
    },
  );
});

const red = (output: string): CommandRun => ({ command: "", exit: 1, ended: "exited", output, digest: "" });
const tap = "TAP version 13\nok 1 - a\nnot ok 2 - old";

test("what cannot be told apart is named on the pages: with what it stands behind", async () => {
  const files = {
    "package.json": JSON.stringify({
      scripts: { unit: "node --test", test: "npm run unit && for f in docs/*; do node check.js $f; done" },
    }),
  };
  const found = await rehearsed(files, () => red(tap));
  const line = "npm test ends early: npm run unit && for f in docs/*; do node check.js $f; done was not run by itself.";
  expect(departures({ rehearsal: found })).toContain(line);
  expect(rehearsalText(found)).toContain(line);
  const mended = { scripts: { unit: "node --test", fix: "eslint --fix .", test: "npm run unit && npm run fix" } };
  const other = await rehearsed({ "package.json": JSON.stringify(mended) }, () => red(tap));
  expect(departures({ rehearsal: other })[0]).toBe(
    "npm test stops at npm run unit: npm run fix was not run by itself.",
  );
});

test("a chain that was green as a whole shows nothing where it ends early by a test that is only flaky", () => {
  const check: RehearsedCheck = {
    ...{ kind: "test", command: "npm test", from: "package.json", run: "npm test", format: "any", exit: 0, ms: 1 },
    ...{ result: "works", green: ["a"], redBefore: [], flaky: ["old"] },
  };
  expect(judgeFloor(check, red(tap)).ok).toBe(true);
  expect(judgeFloor({ ...check, chain: true }, red(tap)).ok).toBe(false);
});

const commandsOf = async (files: Record<string, string>) => {
  const own = await ownChecks(await lookAt(Object.keys(files), (each) => Promise.resolve(files[each])));
  const all = own.checks.flatMap((check) => [check, ...(check.parts?.checks ?? [])]);
  return { checks: all.map(({ kind, command }) => `${kind}: ${command}`), untried: own.untried };
};

test("each line of tox, nox, make, just and the CI is a check, or named as not tried", async () => {
  const tox =
    "[tox]\nenvlist = py{311,312}, docs\n[testenv]\ncommands =\n    pytest {posargs:tests}\n    python {toxinidir}/tools/check_readme.py\n    - coverage report\n    ! grep -rq LATER src\n    python tools/x.py {envtmpdir}\n[testenv:docs]\ncommands = python tools/docs.py\n[testenv:release]\ncommands = python tools/release.py\n";
  expect(await commandsOf({ "tox.ini": tox })).toEqual({
    checks: [
      "test: pytest tests",
      "other: python tools/check_readme.py",
      "other: coverage report",
      "other: ! grep -rq LATER src",
      "other: python tools/docs.py",
    ],
    untried: ["python tools/x.py {envtmpdir} (tox.ini, testenv)"],
  });
  const nox =
    'def tests(session):\n    session.install("pytest")\n    session.run("pytest")\n    session.run("python", "tools/a.py")\n    session.run("python", name)\n';
  expect(await commandsOf({ "noxfile.py": nox })).toEqual({
    checks: ["test: pytest", "other: python tools/a.py"],
    untried: ['session.run("python", name) (noxfile.py)'],
  });
  const make =
    "PY ?= python3\n\ntest: lint\n\t$(PY) -m pytest\n\t@$(PY) tools/a.py\n\t./$(shell pwd)/x\n\nlint:\n\truff check .\n";
  const made = await commandsOf({ Makefile: make });
  expect(made.checks).toEqual([
    "test: make test",
    "lint: ruff check .",
    "test: python3 -m pytest",
    "other: python3 tools/a.py",
    "lint: make lint",
  ]);
  const just = "test: unit\n    python3 tools/a.py\n\nunit:\n    pytest\n";
  expect((await commandsOf({ justfile: just })).checks).toEqual([
    "test: just test",
    "test: pytest",
    "other: python3 tools/a.py",
  ]);
  const ci =
    "jobs:\n  a:\n    steps:\n      - run: npm ci\n      - run: |\n          npm run verify\n          node tools/a.js && npx some-checker\n          bash tools/deploy.sh\n";
  expect(
    await commandsOf({
      ".github/workflows/ci.yml": ci,
      "package.json": JSON.stringify({ scripts: { verify: "node tools/a.js" } }),
      "tools/a.js": "",
      "tools/deploy.sh": "",
    }),
  ).toEqual({
    checks: ["other: npm run verify", "other: node tools/a.js"],
    untried: ["npx some-checker (.github/workflows/ci.yml)", "bash tools/deploy.sh (.github/workflows/ci.yml)"],
  });
});
