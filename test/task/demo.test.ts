// The demonstration of a task as a person sees it: the whole program in this process, a screen that is read back.
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { PassThrough } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { openClient } from "../../src/app/door/client.ts";
import { createDemos } from "../../src/app/demo/prepare.ts";
import { listSamples, toolchainProblem } from "../../src/app/demo/samples.ts";
import { detectSandbox } from "../../src/io/sandbox/sandbox.ts";
import { grantedEnvironment } from "../../src/io/process/environment.ts";
import { runTaskDemo } from "../../src/surfaces/cli/commands/demo/task.ts";
import { sampled } from "../support/draws.ts";

const bundled = path.join(import.meta.dirname, "../../samples");

interface Shown {
  code: number;
  screen: string;
  workspace: string;
}

/** In a state folder of its own; `sandboxed: false` is a machine without bubblewrap. */
async function show(name: string, options: { sandboxed?: boolean; samples?: string } = {}): Promise<Shown> {
  const root = mkdtempSync(path.join(os.tmpdir(), "fettle-task-demo-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const env = {
    ...process.env,
    XDG_STATE_HOME: path.join(root, "state"),
    XDG_CONFIG_HOME: path.join(root, "config"),
    XDG_CACHE_HOME: path.join(root, "cache"),
    XDG_DATA_HOME: path.join(root, "data"),
    ...(options.sandboxed === false && { FETTLE_SANDBOX_ENABLED: "false" }),
  };
  const sandbox = () =>
    detectSandbox({ enabled: options.sandboxed !== false, cacheFolder: path.join(root, "cache/fettle") });
  const parts = { samples: options.samples ?? bundled, env, home: os.homedir(), program: "fettle", sandbox };
  const demos = createDemos(parts);
  const stdout = new PassThrough();
  let screen = "";
  let workspace = "";
  stdout.on("data", (chunk: Buffer) => (screen += chunk.toString()));
  const host = {
    open: async (flags: Parameters<typeof openClient>[0]) => openClient(flags, env, "0.0.0"),
    demos: async () => ({
      ...demos,
      async prepareTask(wanted: string | undefined) {
        const plan = await demos.prepareTask(wanted);
        workspace = plan.workspace;
        onTestFinished(() => rmSync(path.dirname(plan.workspace), { recursive: true, force: true }));
        return plan;
      },
    }),
    stdin: new PassThrough(),
    stdout,
    stderr: new PassThrough(),
    env: { ...env, LANG: "C.UTF-8", LC_ALL: "C.UTF-8" },
    version: "0.0.0",
    onSignal: () => () => undefined,
    readText: async () => "",
  };
  return { code: await runTaskDemo(name, host, true), screen, workspace };
}

async function usable(name: string): Promise<boolean> {
  const env = grantedEnvironment(process.env, { temporary: path.join(os.tmpdir(), "none"), home: os.homedir() });
  const sample = listSamples(bundled).find((one) => one.name === name);
  if (!sample) throw new Error(`no sample ${name}`);
  return (await toolchainProblem(sample, env)) === undefined;
}

const flat = (text: string): string => text.replace(/\n│?/g, " ").replace(/\s+/g, " ");
const runs = await Promise.all(
  sampled([["javascript", true] as const, ["python", false] as const, ["rust", true] as const], 3).map(
    async ([name, sandboxed]) => ({ name, sandboxed, can: await usable(name) }),
  ),
);

for (const { name, sandboxed, can } of runs) {
  test.skipIf(!can)(
    `${name}: from the ticket to the merged commit${sandboxed ? "" : ", without a sandbox"}`,
    {
      timeout: 120_000,
    },
    async () => {
      const { code, screen, workspace } = await show(name, { sandboxed });
      const text = flat(screen);
      for (const part of [
        "replies are scripted",
        "plan to approve",
        "result to approve",
        "The demo approves here",
        "fails by an assertion",
        "Time per step",
        "1 red by an assertion → green on main",
        "both in the ledger",
        "all as they were",
        "ledger verified",
      ])
        expect(text).toContain(part);
      expect(text.includes("has no kernel sandbox")).toBe(!sandboxed);
      expect(code, screen).toBe(0);
      const git = (...words: string[]) => execFileSync("git", words, { cwd: workspace, encoding: "utf8" });
      expect(git("log", "--first-parent", "--format=%s").split("\n")[0]).toMatch(/^Merge fettle\//);
      expect(git("status", "--porcelain")).toBe("");
    },
  );
}

/** The bundled samples with one recording changed. */
function changedSamples(change: (recording: string) => string): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), "fettle-task-samples-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(bundled, folder, { recursive: true });
  const file = path.join(folder, "javascript/task.jsonl");
  writeFileSync(file, change(readFileSync(file, "utf8")));
  return folder;
}

test("what is not really mended fails the demo, whatever the model says", { timeout: 60_000 }, async () => {
  const samples = changedSamples((text) => text.replace("(at < rest ? share + 1 : share)", "share"));
  const { code, screen } = await show("javascript", { samples });
  expect(screen).toContain("Done: the rest of the division is handed out");
  expect(flat(screen)).toContain("The demo failed. The task stopped at Implementation");
  expect(screen).not.toContain("Time per step");
  expect(code).toBe(1);
});

test("what is not in the plan is refused, and fails the demo", { timeout: 60_000 }, async () => {
  const samples = changedSamples((text) =>
    text.replace('"path": "test/split.test.js", "content"', '"path": "src/money.js", "content"'),
  );
  const { code, screen } = await show("javascript", { samples });
  expect(flat(screen)).toContain("The demo failed.");
  expect(code).toBe(1);
});
