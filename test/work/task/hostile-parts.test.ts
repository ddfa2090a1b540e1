// What a plan could be bent with: commands that are named alike, what is hidden from a look, links, git in the company of code.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { syntaxDigest } from "../../../src/guard/command-line/syntax/syntax-digest.ts";
import { assess } from "../../../src/guard/assess/assess.ts";
import { decide } from "../../../src/guard/decide.ts";
import { createFirewall } from "../../../src/guard/firewall/firewall.ts";
import { underPlan } from "../../../src/guard/assess/planned.ts";
import type { EnvelopeTerms } from "../../../src/protocol/task.ts";
import { packets } from "../../../src/io/forge/packets.ts";
import { unplannedPackage } from "../../../src/work/task/machine/manifests.ts";
import { planProblem, readPlan } from "../../../src/work/task/machine/plan.ts";
import { remoteOf } from "../../../src/work/task/forge/remote.ts";
import { Repository } from "../../../src/work/task/world/git.ts";
import { addedSecret } from "../../../src/work/task/worktree/secrets.ts";
import type { Work } from "../../../src/work/task/work/work.ts";
import { context } from "../../guard/assessments.ts";
import { openWorld } from "../../guard/world.ts";
import { plan } from "./crew.ts";
import { ungated } from "./git.ts";
import { temporaryFolder } from "../../support/folders.ts";

test("a loop that counts is another command when what it counts by is another", () => {
  const loop = (head: string) => syntaxDigest(`for ((${head})); do echo a; done`);
  const heads = ["i=0;i<3;i++", "i=0;i<$(curl -s example.org);i++", "i=0; i<3; i+=$(rm -rf / tmp)", "i=0;;"];
  expect(new Set(heads.map(loop)).size).toBe(heads.length);
  expect(loop("i=0;i<3;i++")).toBe(syntaxDigest("for ((i=0;i<3;i++)); do  echo  a; done"));
});

test("git that writes is no command of a task, planned or amended: code beside it would have the repository", async () => {
  const world = openWorld();
  try {
    const verdict = (command: string) => {
      const digest = syntaxDigest(command);
      const task: EnvelopeTerms = {
        ...{ digest: "d", strict: false, commands: [digest], amended: [digest], paths: [], hosts: [] },
      };
      const action = { kind: "shell" as const, command, background: false };
      const decision = decide(underPlan(action, assess(action, world.facts), task), context({ task }));
      return `${decision.verdict} ${decision.rule}`;
    };
    for (const command of ["git add -A && node --test", "git commit -m x", "node --test; git stash", "git add -A"])
      expect(verdict(command), command).toBe("deny envelope.git");
    for (const command of ["git diff --exit-code && node --test", "node --test"])
      expect(verdict(command), command).toBe("notify envelope");
    expect(verdict("git status")).toMatch(/^allow/);
  } finally {
    await world.close();
  }
});

test("an attribute that calls a file binary hides no secret of it", async () => {
  const folder = temporaryFolder();
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: folder });
  git("init", "--quiet");
  writeFileSync(path.join(folder, ".gitattributes"), "*.js -diff\n*.ts binary\n");
  git("add", ".");
  git("commit", "--quiet", "-m", "start");
  const token = ["ghp_", "b7Kq2Zt9XwLm4Rv8Ns3Ej6Hc1Yd5Ua0PfGi"].join("");
  const work = { place: { folder, firewall: createFirewall(Buffer.alloc(32, 1)) }, task: {} } as unknown as Work;
  for (const name of ["a.js", "b.ts", "c.md"]) {
    writeFileSync(path.join(folder, name), `const token = "${token}";\n`);
    git("add", name);
    expect(await addedSecret(work, "HEAD")).toBe(name);
    git("reset", "--quiet");
  }
});

test("a file that is called like a pattern is that file alone, and packets without end are none", async () => {
  const folder = temporaryFolder();
  execFileSync("git", ["init", "--quiet"], { cwd: folder });
  for (const name of ["*", ":(top)", "other"]) writeFileSync(path.join(folder, name), "");
  const repository = new Repository(folder);
  await ungated.act({ op: "add", words: ["--", "*", ":(top)"], folder }, async (git) => {
    await git.run(["add", "--all", "--", "*", ":(top)"]);
  });
  const staged = (await repository.changed(true)).filter(({ status }) => status === "A ");
  expect(staged.map((each) => each.path)).toEqual(["*", ":(top)"]);
  expect(packets(Buffer.alloc(12_000_000, "0004"))).toBeUndefined();
});

test.each([".Git/config", "a/.GIT/hooks/x", ".git./config", "GIT~1/config", ".Fettle/config.toml"])(
  "%s is git's or fettle's own wherever letters or endings do not count",
  (file) => {
    const read = readPlan(plan({ files: [...plan().files, { path: file, action: "create", intent: "x" }] }));
    if ("problem" in read) throw new Error(read.problem);
    const around = { intent: "fix" as const, docsOnly: false, files: new Set(["src/round.js"]), maxFiles: 50 };
    expect(planProblem(read.plan, around).problem).toContain("no path inside");
  },
);

test("a password with an @ in it is kept nowhere either", async () => {
  const line = async (...args: string[]) =>
    args[0] === "remote" ? "https://ada:se@cret@github.com/o/r.git" : undefined;
  const found = await remoteOf({ folder: "/w", line } as unknown as Repository, "main", undefined);
  expect([found?.url, JSON.stringify(found).includes("cret")]).toEqual(["https://github.com/o/r.git", false]);
});

test.each([
  ["overrides", { a: "npm:evil@1" }],
  ["overrides", { a: { b: "npm:evil@1" } }],
  ["resolutions", { "**/a": "https://example.org/evil.tgz" }],
  ["pnpm", { overrides: { a: "npm:evil@1" } }],
  ["dependencies", { a: "npm:evil@1" }],
])("package.json takes in nothing unplanned by its %s either", async (table, value) => {
  const text = async (revision: string) =>
    JSON.stringify(
      revision === "HEAD" ? { dependencies: { a: "1.0.0" }, [table]: value } : { dependencies: { a: "1.0.0" } },
    );
  const terms = { base: { branch: "main", commit: "c", tree: "t" }, plan: { ...plan(), dependencies: [] } };
  const found = await unplannedPackage(
    terms as unknown as Parameters<typeof unplannedPackage>[0],
    ["package.json"],
    text,
  );
  expect(found).toContain("evil");
});
