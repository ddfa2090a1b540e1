// The floor of all evidence: whatever a plan names, what was green before is green after, by name.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { withoutReport } from "../../../src/base/report-wrapper.ts";
import type { RehearsedCheck } from "../../../src/protocol/rehearsal.ts";
import { judgeFloor, judgePlanned } from "../../../src/work/task/checks/floor.ts";
import { ownChecks } from "../../../src/work/task/checks/own-checks.ts";
import { nothingRuns, rehearse } from "../../../src/work/task/checks/rehearse.ts";
import { departures, floorOf, isSame, partLines, standFor } from "../../../src/work/task/machine/floor.ts";
import { isReplaced, replacedFiles } from "../../../src/work/task/machine/replaces.ts";
import { lookAt } from "../../../src/work/task/stacks/list.ts";
import { CheckedRuns } from "../../../src/work/task/work/checked-runs.ts";
import type { CommandRun } from "../../../src/work/task/world/commands.ts";

const tap = (
  passed: readonly string[],
  failed: readonly string[] = [],
  skipped: readonly string[] = [],
): CommandRun => {
  const red = "  ---\n  failureType: 'testCodeFailure'\n  code: 'ERR_ASSERTION'\n  ...";
  const output = [
    "TAP version 13",
    ...passed.map((name, at) => `ok ${at + 1} - ${name}`),
    ...failed.map((name, at) => `not ok ${at + 1} - ${name}\n${red}`),
    ...skipped.map((name, at) => `ok ${at + 1} - ${name} # SKIP`),
  ].join("\n");
  return { command: "node --test", exit: failed.length > 0 ? 1 : 0, ended: "exited", output, digest: "" };
};
const suite = (green: string[], redBefore: string[] = []): RehearsedCheck => ({
  ...{ kind: "test", command: "npm test", from: "package.json", run: "node --test", format: "tap", exit: 0, ms: 1 },
  ...{ result: redBefore.length > 0 ? "red" : "works", green, redBefore },
});

test("a planned check that is red by known tests only says nothing of what else its line runs", () => {
  const red = tap(["a"], ["old"]);
  const task = { rehearsal: { commit: "", checks: [suite(["a"], ["old"])] } };
  const ok = (command: string) => judgePlanned({ ...red, command }, "tap", task).ok;
  for (const command of [
    "node --test",
    "cd sub && node --test 2>&1",
    "node --test --test-name-pattern='a|b'",
    "npm run build && npm test",
  ])
    expect(ok(command), command).toBe(true);
  for (const command of [
    "node --test && node verify.js",
    "node --test; node verify.js",
    "node --test | node verify.js",
  ])
    expect(ok(command), command).toBe(false);
  expect(judgePlanned(tap(["a"], ["old", "new"]), "tap", task).ok).toBe(false);
});

const names = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,6}$/), { maxLength: 8 });

test("property: no test that was green before may be red, skipped or gone after, whatever else is reported", () => {
  fc.assert(
    fc.property(names, names, names, names, (all, redBefore, breaks, extra) => {
      const green = all.filter((name) => !redBefore.includes(name));
      const check = suite(green, redBefore);
      const broken = green.filter((name) => breaks.includes(name));
      const still = green.filter((name) => !broken.includes(name));
      const fresh = extra.filter((name) => !green.includes(name) && !redBefore.includes(name));
      const judged = (run: CommandRun) => judgeFloor(check, run).ok;
      expect(judged(tap([...green, ...fresh], redBefore))).toBe(true);
      if (broken.length === 0) return;
      expect(judged(tap([...still, ...fresh], [...redBefore, ...broken]))).toBe(false);
      expect(judged(tap([...still, ...fresh], redBefore, broken))).toBe(false);
      expect(judged(tap([...still, ...fresh], redBefore))).toBe(false);
      expect(judged({ ...tap([]), output: "", exit: 0 })).toBe(false);
    }),
  );
});

test("only a test may go that the signed plan names, alone or by its file, and that is told; not all of them", () => {
  const check = suite(["a", "b"]);
  expect(judgeFloor(check, tap(["a"]), ["b"])).toMatchObject({
    ok: true,
    detail: "1 passed; gone by the plan: b",
    gone: ["b"],
  });
  expect(judgeFloor(check, tap(["a"]))).toMatchObject({ ok: false, lost: ["b"] });
  expect(judgeFloor(check, tap(["a"])).detail).toMatch(/not pass now: b\nWhat passed before has to stay, unless/);
  expect(judgeFloor(suite(["a", "b", "b"]), tap(["a"]), ["b"]).ok).toBe(false);
  expect(judgeFloor(check, tap([]), ["a", "b"]).ok).toBe(false);
  expect(judgeFloor(check, { ...tap(["a", "b"]), ended: "timeout", exit: null }).ok).toBe(false);
  // What pytest numbers itself is not gone when a case is put in between; what a person numbers is.
  const numbered = suite(["t › x[vars6-False]", "case 1"]);
  expect(judgeFloor(numbered, tap(["t › x[vars7-False]", "case 1"]))).toEqual(expect.objectContaining({ ok: true }));
  expect(judgeFloor(numbered, tap(["t › x[vars6-False]", "case 2"])).ok).toBe(false);
});

test("a plan names an old test as its report does, as pytest does, by its group, or by its file; words that only begin alike are others", () => {
  const names = (replaces: string[]) => (name: string) => isReplaced(name, { replaces });
  const python = "tests.test_a.TestRound › test_half[1.5-2]";
  for (const entry of [
    python,
    "test_half",
    "tests/test_a.py::TestRound::test_half",
    "tests.test_a.TestRound",
    "tests.test_a",
  ])
    expect([entry, names([entry])(python)]).toEqual([entry, true]);
  for (const entry of [
    "test_ha",
    "tests.test_",
    "half",
    "",
    "tests/test_b.py::TestRound::test_half",
    "tests/test_a.py",
  ])
    expect([entry, names([entry])(python)]).toEqual([entry, false]);
  expect(names(["a half"])("a half is rounded up")).toBe(false);
  const files = ["test/a.test.js", "src/a.js", "test/b.test.js"].map((path) => ({
    path,
    action: "delete" as const,
    intent: "",
  }));
  const isTest = (file: string) => file.startsWith("test/");
  expect(replacedFiles({ files, replaces: ["./src/a.js"] }, isTest)).toEqual(files.map(({ path }) => path));
  const kept = files.map((file) => ({ ...file, action: "modify" as const }));
  expect(replacedFiles({ files: kept, replaces: ["test/b.test.js"] }, isTest)).toEqual(["test/b.test.js"]);
});

test("a test that was red before excuses no other of its name, and one that is left stands for no other", () => {
  const check = suite(["works", "a"], ["works"]);
  expect(judgeFloor(check, tap(["works", "a"], ["works"])).ok).toBe(true);
  expect(judgeFloor(check, tap(["works", "works", "a"])).ok).toBe(true);
  expect(judgeFloor(check, tap(["a"], ["works", "works"]))).toMatchObject({
    ok: false,
    detail: expect.stringContaining("red now, and not before: works") as string,
  });
  expect(judgeFloor(suite(["works", "works"]), tap(["works"])).ok).toBe(false);
});

test("of more tests than are kept by name, none may go unseen; what was red once on the same files is not called green", () => {
  const many = { ...suite(["a"]), tests: { passed: 3, failed: 0, skipped: 0 } };
  expect(judgeFloor(many, tap(["a", "b", "c"])).ok).toBe(true);
  expect(judgeFloor(many, tap(["a", "b"], [], ["c"]))).toMatchObject({
    ok: false,
    detail: "3 tests passed before, and 2 pass now",
  });
  const runs = new CheckedRuns();
  runs.begin("these");
  for (const run of [tap([], ["a"]), tap(["a"])]) runs.add(run);
  expect(runs.on("these", "node --test")?.exit).toBe(1);
});

const nameless = (exit: number, output = "boom"): CommandRun => ({
  ...{ command: "sh check.sh", exit, ended: "exited", output, digest: "" },
});

test("a suite that is red and names no tests shows nothing: it is asked about, left out, and passes no commit; it may fail where tests are named", async () => {
  const own = { kind: "test" as const, command: "sh check.sh", from: "Makefile", others: [], needs: [] };
  const run = { command: "sh check.sh", format: "any", whole: true } as const;
  const red = await rehearse(
    { ...own, run },
    async () => nameless(1),
    () => 0,
  );
  expect(red).toMatchObject({ result: "red", green: [], redBefore: ["the whole run"] });
  const rehearsal = { commit: "c", checks: [red] };
  expect(floorOf({ rehearsal })).toEqual([]);
  expect(nothingRuns(rehearsal)).toContain("sh check.sh is red already and names no tests (boom)");
  expect(departures({ rehearsal: { ...rehearsal, without: true } })).toEqual([
    "Its own tests show nothing, and you go on without them.",
    "sh check.sh is red already and names no tests, so it shows nothing and is left out.",
  ]);
  for (const exit of [0, 1]) expect(judgeFloor(red, nameless(exit)).ok).toBe(exit === 0);
  const green = await rehearse(
    { ...own, run },
    async () => nameless(0),
    () => 0,
  );
  expect(departures({ rehearsal: { commit: "c", checks: [green] } })).toEqual([
    "sh check.sh names no tests: only its exit code is known.",
  ]);
  expect(judgeFloor(green, nameless(1)).ok).toBe(false);
  // A name that stands for all of it is never one of those that are spared.
  expect(judgeFloor({ ...suite(["a"], ["b"]), format: "any" }, nameless(1)).ok).toBe(false);
});

test("a planned command is the repository's own where it differs by starter, variables, report or a pipe that shortens it, and not by what it runs", () => {
  const report = (command: string) => `r=$(mktemp); ${command} --junitxml="$r"; s=$?; cat "$r"; exit $s`;
  const python = { ...suite([]), command: "pytest -q", run: report("PYTHONPATH=src python3 -m pytest -q") };
  for (const same of [
    "pytest",
    "pytest -q",
    "python -m pytest -v --tb=short",
    "PYTHONPATH=src pytest -q 2>&1 | tail -5",
  ])
    expect([same, isSame(python, same)]).toEqual([same, true]);
  for (const other of [
    "pytest tests/test_a.py",
    "pytest -k a",
    "pytest -q; true",
    "pytest || true",
    "pytest | grep a",
    "",
  ])
    expect([other, isSame(python, other)]).toEqual([other, false]);
  const node = { ...suite([]), run: report("node_modules/.bin/vitest run --reporter=json") };
  for (const same of [
    "npm test",
    "npx vitest run",
    "npx vitest --run",
    "node_modules/.bin/vitest run --reporter=verbose",
  ])
    expect([same, isSame(node, same)]).toEqual([same, true]);
  expect(isSame(node, "npx vitest run src/a.test.ts")).toBe(false);
  expect(isSame({ ...node, command: "cd a && npm test", run: "cd a && node --test" }, "node --test")).toBe(false);
});

test("a chain is said by its parts where all of them have run on the base; what was red there is left out, what could not run is not", () => {
  const part = (command: string, more: Partial<RehearsedCheck> = {}) => ({
    ...{ ...suite(["a"]), command, run: command, result: "works" as const, partOf: ["npm test"] },
    ...more,
  });
  const lint = { kind: "lint", result: "red" } as const;
  const said = (checks: RehearsedCheck[], planned = "npm test") =>
    standFor({ rehearsal: { commit: "", checks } }, planned).map(({ command }) => command);
  expect(said([part("npm run unit"), part("npm run types")])).toEqual(["npm run unit", "npm run types"]);
  expect(said([part("npm run unit"), part("npm run lint", lint)])).toEqual(["npm run unit"]);
  expect(said([part("npm run unit"), part("npm run types", { result: "cannot run" })])).toEqual([]);
  expect(said([part("npm run unit")], "npm run unit")).toEqual(["npm run unit"]);
  expect(said([part("npm run unit")], "npm run other")).toEqual([]);
});

test("what only keeps a report is left out where a command is shown, and nothing else is", () => {
  const wrapped = (inner: string, end = 'cat "$r"') => `r=$(mktemp); ${inner}; s=$?; ${end}; exit $s`;
  expect(withoutReport(wrapped('pytest -q --junitxml="$r"'))).toBe("pytest -q");
  const maven = `find . -path '*/surefire-reports/*.xml' -newer "$r" -exec cat {} +`;
  expect(withoutReport(`cd a && ${wrapped("mvn -o test", maven)}`)).toBe("cd a && mvn -o test");
  for (const other of [wrapped("ls", "rm -rf src"), wrapped("ls", 'cat "$r" > src/a.js'), "pytest --junitxml=$r"])
    expect(withoutReport(other)).toBe(other);
});

describe("rehearsed", () => {
  const check = async (files: Record<string, string>) => {
    const look = await lookAt(Object.keys(files), (name) => Promise.resolve(files[name]));
    return (await ownChecks(look)).checks;
  };
  const runs = (...all: CommandRun[]) => {
    let at = -1;
    return async () => all[Math.min((at += 1), all.length - 1)] as CommandRun;
  };
  const manifest = (scripts: Record<string, string>) => ({ "package.json": JSON.stringify({ scripts }) });

  test("commands are those of manifests, run for their reports", async () => {
    const found = await check(manifest({ test: "NODE_ENV=test vitest run --dir x", lint: "eslint .", build: "tsc" }));
    expect(found.map(({ command, run }) => [command, run.format, run.command])).toEqual([
      [
        "npm test",
        "vitest-json",
        expect.stringContaining("NODE_ENV=test node_modules/.bin/vitest run --dir x --reporter=json --outputFile="),
      ],
      ["npm run lint", "any", "npm run lint"],
    ]);
    const odd = await check(manifest({ pretest: "tsc", test: "node --test" }));
    expect(odd[0]?.run.command).toBe("npm test");
    expect((await check({ "Cargo.toml": "" }))[0]?.run.format).toBe("libtest");
  });

  test("red once and green once is flaky, and spared; red each time is red before", async () => {
    const [one] = await check(manifest({ test: "node --test" }));
    if (!one) throw new Error("no check");
    const rehearsed = await rehearse(one, runs(tap(["a"], ["b", "c"]), tap(["a", "b"], ["c"])), () => 0);
    expect(rehearsed).toMatchObject({ result: "red", green: ["a"], redBefore: ["c"], flaky: ["b"] });
    const task = { rehearsal: { commit: "c", checks: [rehearsed] } };
    expect(floorOf(task)).toHaveLength(1);
    expect(departures(task)).toEqual(["npm test is red already: 1 test (c).", "Flaky, red once and green once: b."]);
    expect(partLines(task).at(-1)).toBe("Red before the work already, and not yours unless the task is about them: c.");
    const lucky = await rehearse(one, runs(tap(["a"], ["b"]), tap(["a", "b"])), () => 0);
    expect(lucky).toMatchObject({ result: "works", redBefore: [], flaky: ["b"] });
  });

  test("what cannot run is told with why, and no floor; a package below src is found", async () => {
    const [python] = await check({ "pyproject.toml": "[tool.pytest]\n", "src/shop/__init__.py": "" });
    if (!python) throw new Error("no check");
    const lacking = { ...tap([]), exit: 1, output: "/usr/bin/python3: No module named pytest" };
    const dead = await rehearse(python, runs(lacking), () => 0);
    expect(dead).toMatchObject({ result: "cannot run", said: expect.stringContaining("No module named pytest") });
    expect(floorOf({ rehearsal: { commit: "c", checks: [dead] } })).toEqual([]);
    const junit = '<testsuite><testcase classname="t" name="a"/></testsuite>';
    const other = { ...tap([]), exit: 1, output: "ModuleNotFoundError: No module named 'shop'" };
    const found = await rehearse(python, runs(other, { ...tap([]), output: junit }), () => 0);
    expect(found).toMatchObject({ result: "works", green: ["t › a"], run: expect.stringContaining("PYTHONPATH=src") });
  });
});
