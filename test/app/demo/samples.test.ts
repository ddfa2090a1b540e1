import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createDemos } from "../../../src/app/demo/prepare.ts";
import { listSamples, type Sample } from "../../../src/app/demo/samples.ts";
import { parseRecording } from "../../../src/model/recording/recording.ts";
import { sampled } from "../../support/draws.ts";
import { temporaryFolder } from "../../support/folders.ts";

const folder = path.join(import.meta.dirname, "../../../samples");
const samples = listSamples(folder);
const has = ({ toolchain: [program = "", ...words] }: Sample) => spawnSync(program, words).status === 0;

const environment = () => {
  const kept = { ...process.env };
  for (const name of Object.keys(kept)) if (/^(NODE_|VITEST|npm_)/.test(name)) delete kept[name];
  return kept;
};

function runTests(sample: Sample, cwd: string): { green: boolean; output: string } {
  const run = spawnSync(sample.testProgram, sample.testArguments, { cwd, env: environment(), encoding: "utf8" });
  return { green: run.status === 0, output: run.stdout + run.stderr };
}

const flat = (text: string) => text.replace(/\s+/g, " ");

test("there are samples in six languages", () => {
  expect(samples.map((sample) => sample.name)).toEqual(["go", "java", "javascript", "python", "rust", "typescript"]);
});

test.each(sampled(samples, 3).map((sample) => [sample.name, sample] as const))(
  "%s: red as it comes, green after the recorded edits, and both as the recording expects",
  (_name, sample) => {
    if (!has(sample)) return expect(sample.install).toMatch(/^Install /);
    const project = path.join(temporaryFolder(), "project");
    cpSync(path.join(sample.folder, "project"), project, { recursive: true });
    const file = path.join(sample.folder, "recording.jsonl");
    const { steps } = parseRecording(readFileSync(file, "utf8"), file);
    let last = sample.prompt;
    for (const step of steps) {
      for (const wanted of step.expect ?? []) expect(flat(last)).toContain(flat(wanted));
      last = (step.calls ?? []).map((call) => perform(sample, project, call)).join("\n");
    }
    const end = runTests(sample, project);
    expect(end.green).toBe(true);
  },
);

/** What the tools would show of a recorded call, near enough for the texts that recordings expect. */
function perform(sample: Sample, project: string, call: { name: string; input?: unknown }): string {
  const input = call.input as Record<string, string>;
  const file = path.join(project, input["path"] ?? "");
  if (call.name === "shell") {
    expect(input["command"]).toBe(sample.testCommand);
    return runTests(sample, project).output;
  }
  if (call.name === "edit") {
    const text = readFileSync(file, "utf8");
    expect(text.split(input["old_string"] ?? "")).toHaveLength(2);
    writeFileSync(file, text.replace(input["old_string"] ?? "", input["new_string"] ?? ""));
    return input["path"] ?? "";
  }
  if (call.name === "read") return readFileSync(file, "utf8");
  expect(call.name).toBe("grep");
  return execFileSync("grep", ["-rnI", "--exclude-dir=target", input["pattern"] ?? "", "."], {
    cwd: project,
    encoding: "utf8",
  });
}

const demosWith = (sandbox: "bubblewrap" | "none", env: NodeJS.ProcessEnv = process.env) =>
  createDemos({
    samples: folder,
    env,
    home: os.homedir(),
    program: "fettle",
    sandbox: () => ({ name: sandbox, detail: "bwrap is missing" }),
  });

test("a prepared demo is a clean repository with one commit, in a folder of its own", async () => {
  const plan = await demosWith("bubblewrap").prepare(undefined);
  onTestFinished(() => rmSync(path.dirname(plan.workspace), { recursive: true, force: true }));
  expect(plan.name).toBe("javascript");
  const git = (...words: string[]) => execFileSync("git", words, { cwd: plan.workspace, encoding: "utf8" });
  expect(git("status", "--porcelain")).toBe("");
  expect(git("rev-list", "--count", "HEAD").trim()).toBe("1");
  expect(readdirSync(plan.workspace)).toContain(".gitignore");
  expect(plan.flags).toMatchObject({ cwd: plan.workspace, headless: true });
  expect(existsSync(String(plan.flags.settings?.["providers.scripted.recording"]))).toBe(true);
});

test("only without a sandbox a rule allows the one test command, and the plan says so", async () => {
  const [with_, without] = await Promise.all(
    ["bubblewrap" as const, "none" as const].map((name) => demosWith(name).prepare("javascript")),
  );
  onTestFinished(() => {
    for (const plan of [with_, without])
      if (plan) rmSync(path.dirname(plan.workspace), { recursive: true, force: true });
  });
  expect(with_?.flags.settings).not.toHaveProperty("rules");
  expect(with_?.policyNote).toBeUndefined();
  expect(without?.flags.settings?.["rules"]).toEqual([{ action: "allow", program: "npm", args: ["test"] }]);
  expect(without?.policyNote).toMatch(/no kernel sandbox \(bwrap is missing\).*`npm test`/);
});

test("a missing toolchain and an unknown name are one sentence, exit 2", async () => {
  const demos = demosWith("bubblewrap", { PATH: "/no/such/folder" });
  await expect(demos.prepare("python")).rejects.toMatchObject({
    exit: 2,
    message: "The python demo needs python3, which is not installed here.",
    remedy: expect.stringContaining("apt-get install python3"),
  });
  await expect(demos.prepare("cobol")).rejects.toMatchObject({
    exit: 2,
    message: expect.stringContaining("go, java, javascript, python, rust, typescript"),
  });
  expect((await demos.list()).every((row) => row.problem)).toBe(true);
});
