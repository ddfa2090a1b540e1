// What a plan may hold, and what its dependencies come to before anything is isolated.
import { execFileSync } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { packagesOf } from "../../../src/guard/assess/assess.ts";
import { opinions, type Plan } from "../../../src/protocol/plan.ts";
import { blastRadius, importOf, riskOf } from "../../../src/work/task/checks/blast.ts";
import {
  checkDependency,
  unlistedLockfile,
  unlistedPackage,
  withOpinion,
} from "../../../src/work/task/checks/dependencies.ts";
import { unplannedPackage } from "../../../src/work/task/machine/manifests.ts";
import { isDocument, planProblem, readPlan } from "../../../src/work/task/machine/plan.ts";
import { readAnswer } from "../../../src/work/task/world/answers.ts";
import { withScripts } from "../../../src/work/task/checks/sources/package-scripts.ts";
import { imagesOf, npmVersion } from "../../../src/work/task/checks/toolchain.ts";
import { openWorld } from "../../guard/world.ts";
import { plan } from "./crew.ts";

const whole = (more: Record<string, unknown> = {}): Plan => {
  const read = readPlan(plan(more));
  if ("problem" in read) throw new Error(read.problem);
  return read.plan;
};
const dependency = (ecosystem: string, name: string, version?: string) => ({
  ...{ ecosystem, name },
  ...(version !== undefined && { version }),
});

test.each<[string, ReturnType<typeof dependency>, RegExp | undefined, RegExp | undefined]>([
  ["well-known and pinned", dependency("npm", "lodash", "4.17.21"), undefined, undefined],
  ["no version", dependency("npm", "lodash"), undefined, /no version/],
  ["any version", dependency("pip", "requests", "*"), undefined, /no version/],
  ["mistyped", dependency("npm", "expresss", "1.0.0"), undefined, /resembles the well-known express/],
  ["only looks like it", dependency("npm", "l0dash", "1.0.0"), /only looks like/, undefined],
  ["in another alphabet", dependency("npm", "lod\u0430sh", "1.0.0"), /no name of a package/, undefined],
  ["of another ecosystem", dependency("npm", "scikit-learn", "1.0.0"), undefined, /known in pypi/],
  ["never heard of", dependency("crates", "zzqx-nothing-such", "1.0.0"), undefined, /not among the names/],
  ["behind an alias", dependency("npm", "lodash", "npm:expresss@1"), undefined, /resembles/],
  ["from git", dependency("npm", "lodash", "git+https://example.org/lodash.git"), undefined, /not from a registry/],
  ["from git without https", dependency("npm", "lodash", "git+ssh://git@example.org/x"), /neither/, undefined],
  ["from a folder outside", dependency("pypi", "x", "file:../x"), /neither/, undefined],
  ["from a repository's short name", dependency("npm", "lodash", "someone/lodash"), /neither/, undefined],
  ["a path for a name", dependency("npm", "../x", "1.0.0"), /neither/, undefined],
  ["an option for a name", dependency("npm", "--registry=http://x", "1.0.0"), /no name/, undefined],
  ["of an unknown ecosystem", dependency("gems", "rails", "7.0.0"), undefined, /does not know/],
  ["of Maven", dependency("maven", "com.google.guava:guava", "33.0.0"), undefined, undefined],
  ["of Go", dependency("go", "github.com/spf13/cobra", "v1.8.0"), undefined, undefined],
])("a dependency that is %s", (_, each, refused, flag) => {
  const found = checkDependency(each, false);
  if (refused) expect(found.refused).toMatch(refused);
  else expect(found.refused).toBeUndefined();
  if (flag) expect(found.flags.join("\n")).toMatch(flag);
  else expect(found.flags).toEqual([]);
});

test("a second opinion makes nothing better: no flag goes, no refusal is lifted", () => {
  const checked = fc.record(
    { flags: fc.array(fc.string(), { maxLength: 3 }), refused: fc.string() },
    { requiredKeys: ["flags"] },
  );
  const opinion = fc.record({ verdict: fc.constantFrom(...opinions), reason: fc.string() });
  fc.assert(
    fc.property(checked, opinion, (before, said) => {
      const after = withOpinion(before, said);
      expect(after.flags).toEqual(before.flags);
      expect(after.refused !== undefined).toBe(before.refused !== undefined || said.verdict === "DANGEROUS");
      if (before.refused !== undefined) expect(after.refused).toBe(before.refused);
    }),
  );
});

test("what the commands fetch has to be among the dependencies, and the lockfile that they rewrite among the files", () => {
  const fetched = (name: string, more = {}) => [
    {
      text: "x",
      hosts: [],
      packages: [{ ecosystem: "npm" as const, name, from: "registry" as const, executes: false, ...more }],
    },
  ];
  const address = { from: "address" as const };
  const some = whole({ dependencies: [dependency("node", "Left-Pad", "1.3.0")] });
  expect(unlistedPackage(some, fetched("left-pad"))).toBeUndefined();
  expect(unlistedPackage(some, fetched("right-pad"))).toContain("right-pad");
  expect(unlistedPackage(some, fetched("https://example.org/x.tgz", address))).toContain("example.org");
  expect(unlistedPackage(some, fetched(".", address))).toBeUndefined();
  expect(unlistedPackage(some, fetched("./../x", address))).toContain("../x");
  expect(unlistedPackage(some, fetched("cowsay", { executes: true }))).toBeUndefined();
  const online = { ...some, hosts: ["registry.npmjs.org"] };
  expect(unlistedPackage(online, fetched("cowsay", { executes: true }))).toContain("cowsay");
  const tarball = fetched("https://registry.npmjs.org/x.tgz", address);
  expect(unlistedPackage(online, tarball)).toContain("x.tgz");
  const index = fetched("https://registry.npmjs.org/", { from: "index" as const });
  expect([unlistedPackage(online, index), unlistedPackage(some, index)]).toEqual([
    ...[undefined, expect.stringContaining("registry.npmjs.org")],
  ]);
  const installs = { ...some, commands: { install: "npm install" } };
  expect(unlistedLockfile(installs, new Set(["package-lock.json"]))).toContain("package-lock.json");
  expect(unlistedLockfile(installs, new Set(["Cargo.lock"]))).toBeUndefined();
});

test.each([
  ["npm install left-pad@1.3.0", ["left-pad registry"]],
  ["npm install left-pad@someone/left-pad", ["left-pad@someone/left-pad address"]],
  ["npm install a@npm:left-pad@1", ["left-pad registry"]],
  ["npm install @scope/a@1 --registry=http://x.example", ["http://x.example index", "@scope/a registry"]],
  ["pip install 'flask @ git+https://x.example/f'", ["flask @ git+https://x.example/f address"]],
  ["python3 -m pip install -e git+https://x.example/f -r more.txt", ["git+https://x.example/f address"]],
  ["env A=1 sh -c 'cargo add serde --git https://x.example/s'", ["https://x.example/s address", "serde registry"]],
  ["npx --no-install tsc && npm ci", []],
])("%s fetches what it says", async (command, packages) => {
  const world = openWorld();
  try {
    const found = packagesOf(command, world.facts);
    expect(found.map(({ name, from }) => `${name} ${from}`)).toEqual(packages);
  } finally {
    await world.close();
  }
});

test("a manifest takes in what the plan names, before anything of it is fetched", async () => {
  const some = whole({
    dependencies: [dependency("npm", "left-pad", "1.3.0"), dependency("npm", "x", "git+https://x.example/x")],
  });
  const frozen = { plan: some, base: { branch: "main", commit: "c", tree: "t" } };
  const check = (file: string, before: string, now: string) =>
    unplannedPackage(frozen, [file], async (revision) => (revision === "HEAD" ? now : before));
  const json = (dependencies: Record<string, string>) =>
    JSON.stringify({ homepage: "https://y.example", dependencies });
  expect(await check("package.json", json({ old: "1" }), json({ old: "2", "left-pad": "^1.3.0" }))).toBeUndefined();
  expect(await check("package.json", "{}", json({ x: "git+https://x.example/x" }))).toBeUndefined();
  expect(await check("package.json", "{}", json({ evil: "1" }))).toContain("evil");
  expect(await check("a/package.json", json({ old: "1" }), json({ old: "someone/old" }))).toContain("someone/old");
  expect(await check("requirements.txt", "flask\n", "flask @ git+https://e.example/f\n")).toContain("e.example");
  expect(await check("Cargo.toml", "", '[dependencies]\nleft-pad = { git = "https://e.example/x" }\n')).toContain(
    "e.example",
  );
  expect(await check("src/a.js", "", json({ evil: "1" }))).toBeUndefined();
});

const around = (more = {}) => ({
  ...{ intent: "fix" as const, docsOnly: false, maxFiles: 50 },
  files: new Set(["src/round.js", "a/b/c.js", "a/b/d.js", "docs/x.md"]),
  ...more,
});

test("too wide a plan is told where it lies", () => {
  const files = ["src/round.js", "a/b/c.js", "a/b/d.js"].map((path) => ({ path, action: "modify", intent: "x" }));
  const { scope } = planProblem(whole({ files }), around({ maxFiles: 2 }));
  expect(scope).toMatch(/touches 3 files.*may touch 2.*a\/b\/ \(2\), src\/ \(1\)/);
});

test.each([
  ["a wildcard host", { hosts: ["*.example.org"] }, "no host"],
  ["a host with a path", { hosts: ["example.org/x"] }, "no host"],
  ["a metadata address", { hosts: ["169.254.169.254"] }, "no host"],
  [
    "a test twice",
    { test: { paths: ["test/round.test.js", "test/round.test.js"], subject: ["src/round.js"] } },
    "twice",
  ],
  ["a test that is not planned", { test: { paths: ["x.test.js"], subject: ["src/round.js"] } }, "among the files"],
])("%s is a problem of the plan", (_, more, problem) => {
  expect(planProblem(whole(more), around()).problem).toContain(problem);
});

test("one test may be named by its path alone; several are read as they are", () => {
  expect(whole().test?.paths).toEqual(["test/round.test.js"]);
  expect(whole({ test: { paths: ["a.js", "b.js"], subject: ["c.js"] } }).test?.paths).toEqual(["a.js", "b.js"]);
  expect(readPlan(plan({ test: { subject: ["c.js"] } }))).toHaveProperty("problem");
});

test("the reach of a plan: who takes in what changes, which tests know it, and a risk that only grows", async () => {
  const grep: Record<string, string[]> = {
    "src/round.js": ["src/app.js", "src/cli.js", "test/old.test.js"],
    "src/b.js": [],
  };
  const repository = {
    text: async () => "a\nb\nc",
    mentions: async (_: string, pattern: string) =>
      pattern === importOf("src/round.js") ? (grep["src/round.js"] ?? []) : [],
  };
  const some = whole({
    test: undefined,
    files: ["src/round.js", "src/b.js"].map((path) => ({ path, action: "modify", intent: "x" })),
  });
  const files = new Set(["src/app.js", "src/cli.js", "test/old.test.js", "src/round.js", "src/b.js"]);
  const blast = await blastRadius(repository, some, { commit: "c", files });
  expect(blast).toMatchObject({
    ...{ files: 2, lines: 6, dependents: ["src/app.js", "src/cli.js"], untested: ["src/b.js"], sources: 2 },
  });
  // A test of the package names no file in it, and the planned test is none that is there.
  const packaged: Record<string, string[]> = {
    "pkg/b.py": ["pkg/__init__.py"],
    "pkg/__init__.py": ["tests/test_pkg.py"],
  };
  const within = whole({
    test: { paths: ["tests/test_c.py"], subject: ["pkg/c.py"] },
    files: ["pkg/b.py", "pkg/c.py", "pkg/d.py"].map((path) => ({ path, action: "modify", intent: "x" })),
  });
  const known = new Set([...Object.keys(packaged), "tests/test_pkg.py", "pkg/c.py", "pkg/d.py"]);
  const mentions = async (_: string, pattern: string) =>
    Object.entries(packaged).find(([file]) => importOf(file) === pattern)?.[1] ?? [];
  expect(await blastRadius({ text: repository.text, mentions }, within, { commit: "c", files: known })).toMatchObject({
    untested: ["pkg/d.py"],
    toBeTested: ["pkg/c.py"],
  });
  const amount = fc.nat({ max: 1000 });
  fc.assert(
    fc.property(amount, amount, amount, (lines, dependents, untested) => {
      const low = riskOf(some, { lines, share: 0.5, dependents, untested });
      expect(low).toBeGreaterThanOrEqual(1);
      expect(low).toBeLessThanOrEqual(10);
      expect(
        riskOf(some, { lines: lines * 2, share: 0.5, dependents: dependents + 9, untested: untested + 1 }),
      ).toBeGreaterThanOrEqual(low);
    }),
  );
});

test.each([
  ["src/round.js", ['import { a } from "../src/round.js";', "require('./round')"], ['import "./around.js"', "round()"]],
  ["src/round/index.ts", ['export * from "./round";'], ['from "./index"']],
  ["pkg/money.py", ["from pkg.money import x", "import pkg.money as m"], ["# money", "import moneybag"]],
  ["internal/tax/vat.go", ['\t"example.org/x/internal/tax"'], ['"example.org/taxes"']],
  ["src/tax.rs", ["use crate::tax::Vat;", "mod tax;"], ["let tax = 1;"]],
])("imports of %s are known by their line", (path, lines, others) => {
  const pattern = new RegExp(
    (importOf(path) ?? "").replaceAll("[[:space:]]", "\\s").replaceAll("[:alnum:]", "a-zA-Z0-9"),
  );
  for (const line of lines) expect(line).toMatch(pattern);
  for (const line of others) expect(line).not.toMatch(pattern);
});

const npm = ["/usr/local/bin/npm", "/usr/bin/npm"].find((file) => existsSync(file));

test.skipIf(npm === undefined)("npm's version is read where npm would read it; other programs are asked", async () => {
  const env = { PATH: "/usr/local/bin:/usr/bin:/bin", NO_UPDATE_NOTIFIER: "1" };
  const said = execFileSync(npm ?? "", ["--version"], { encoding: "utf8", env, stdio: ["ignore", "pipe", "ignore"] });
  expect(await npmVersion(realpathSync(npm ?? ""))).toBe(said.trim());
  expect(await npmVersion(realpathSync(process.execPath))).toBeUndefined();
  expect(await npmVersion("/nowhere/npm/bin/npm-cli.js")).toBeUndefined();
});

test("linters behind scripts, and the machines of the CI, are known by what names them", () => {
  const manifest = JSON.stringify({ scripts: { lint: "npm run lint:js && ruff check", "lint:js": "eslint src" } });
  expect(withScripts(["npm run lint"], manifest)).toEqual([
    "npm run lint",
    "npm run lint:js && ruff check",
    "eslint src",
  ]);
  expect(withScripts(["npm run a"], JSON.stringify({ scripts: { a: "npm run b", b: "npm run a" } }))).toHaveLength(2);
  const workflow =
    "jobs:\n  a:\n    name: build: x\n    runs-on: ubuntu-24.04 # pinned\n    container:\n      image: node:24\n";
  expect(imagesOf(".github/workflows/ci.yml", workflow)).toEqual(["ubuntu-24.04", "node:24"]);
  expect(imagesOf("Dockerfile", "FROM --platform=linux/amd64 python:3.13 AS base\nRUN x\nFROM base\n")).toEqual([
    "python:3.13",
    "base",
  ]);
  expect(imagesOf(".gitlab-ci.yml", "image: 'rust:1.84'\nservices:\n  - name: postgres:16\n")).toEqual([
    "rust:1.84",
    "postgres:16",
  ]);
});

test("a plan is read as it is meant: another word for an action, a list for a line, a text for a commit, a path with the repository before it, and no pipe that hides an exit code", () => {
  const sloppy = plan({
    stack: ["node", "npm"],
    files: [
      { path: "/repo/test/round.test.js", action: "add", intent: "x" },
      { path: "src/round.js", action: "Update", intent: "x" },
    ],
    commands: { test: ["npm test 2>&1 | tail -20"], lint: ["npm run lint", "npm run types"] },
    acceptance: [{ claim: "x", command: "node --test | head" }],
    commit: "Round halves up\n\nFloor was wrong.",
  });
  const read = readPlan(sloppy, "/repo");
  if ("problem" in read) throw new Error(read.problem);
  expect(read.plan).toMatchObject({
    stack: "node, npm",
    files: [
      { path: "test/round.test.js", action: "create" },
      { path: "src/round.js", action: "modify" },
    ],
    commands: { test: "npm test", lint: "npm run lint && npm run types" },
    acceptance: [{ command: "node --test" }],
    commit: { subject: "Round halves up", body: "Floor was wrong." },
  });
  expect(readPlan(plan({ files: [{ path: "a.js", action: "admire", intent: "x" }] }))).toHaveProperty("problem");
  const intent = z.object({ confidence: z.number(), docsOnly: z.boolean() });
  expect(readAnswer(intent, { confidence: "high", docsOnly: "no" })).toEqual({
    value: { confidence: 0.9, docsOnly: false },
  });
});

test("only what is read by people is a document", () => {
  const documents =
    "README.md|docs/guide.rst|LICENSE|LICENSE-MIT|NOTICE.txt|docs/notes.txt|CHANGELOG|AUTHORS|notes.txt|src/README|src/cli/README.md|docs/start.mdx";
  const others =
    "src/notice.js|authors.py|readme.ts|app/license.rb|requirements.txt|requirements/dev.txt|constraints.txt|dev-requirements.txt|CMakeLists.txt|test/fixtures/page.md|tests/expected.txt|src/mail.txt|src/prompts/coder.md|pages/index.mdx|src/docs/intro.mdx";
  expect(documents.split("|").filter((file) => !isDocument(file))).toEqual([]);
  expect(others.split("|").filter((file) => isDocument(file))).toEqual([]);
});
