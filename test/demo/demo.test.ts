// The demonstration as a person sees it: the whole program in this process, a screen that is read back.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { PassThrough } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { openClient } from "../../src/app/door/client.ts";
import { createDemos } from "../../src/app/demo/prepare.ts";
import { listSamples, toolchainProblem } from "../../src/app/demo/samples.ts";
import { detectSandbox } from "../../src/io/sandbox/sandbox.ts";
import { grantedEnvironment } from "../../src/io/process/environment.ts";
import type { Client } from "../../src/protocol/client.ts";
import { runDemo } from "../../src/surfaces/cli/commands/demo/sample.ts";
import { sampled } from "../support/draws.ts";

const bundled = path.join(import.meta.dirname, "../../samples");

interface Stage {
  state: string;
  samples: string;
  run(name: string | undefined, wrap?: (client: Client) => Client): Promise<{ code: number; screen: string }>;
}

/** A home of its own; `sandboxed: false` is a machine without bubblewrap. */
function stage(options: { sandboxed?: boolean; samples?: string } = {}): Stage {
  const root = mkdtempSync(path.join(os.tmpdir(), "fettle-demo-test-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const state = path.join(root, "state");
  const env = {
    ...process.env,
    XDG_STATE_HOME: state,
    XDG_CONFIG_HOME: path.join(root, "config"),
    XDG_CACHE_HOME: path.join(root, "cache"),
    ...(options.sandboxed === false && { FETTLE_SANDBOX_ENABLED: "false" }),
  };
  const samples = options.samples ?? bundled;
  const sandbox = () =>
    detectSandbox({ enabled: options.sandboxed !== false, cacheFolder: path.join(root, "cache/fettle") });
  const demos = createDemos({ samples, env, home: os.homedir(), program: "fettle", sandbox });
  return {
    state,
    samples,
    async run(name, wrap = (client) => client) {
      const stdout = new PassThrough();
      let screen = "";
      stdout.on("data", (chunk: Buffer) => (screen += chunk.toString()));
      const host = {
        open: async (flags: Parameters<typeof openClient>[0]) => wrap(openClient(flags, env, "0.0.0")),
        demos: async () => ({
          ...demos,
          async prepare(wanted: string | undefined) {
            const plan = await demos.prepare(wanted);
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
      const code = await runDemo({ name, list: false, json: false, noColour: true }, host);
      return { code, screen };
    },
  };
}

/** The bundled samples with one recording changed. */
function changedSamples(change: (recording: string) => string): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), "fettle-demo-samples-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(bundled, folder, { recursive: true });
  const file = path.join(folder, "javascript/recording.jsonl");
  writeFileSync(file, change(readFileSync(file, "utf8")));
  return folder;
}

const names = listSamples(bundled).map((sample) => sample.name);

test.each(sampled(names, 3))("%s: the whole story, from red to green", async (name) => {
  const sample = listSamples(bundled).find((one) => one.name === name);
  if (!sample) throw new Error(`no sample ${name}`);
  const env = grantedEnvironment(process.env, { temporary: path.join(os.tmpdir(), "none"), home: os.homedir() });
  if (await toolchainProblem(sample, env)) {
    await expect(stage().run(name)).rejects.toMatchObject({ exit: 2 });
    return;
  }
  const { code, screen } = await stage().run(name);
  for (const part of [
    "replies are scripted",
    `› ${sample.prompt}`,
    "I'll run the tests first",
    "exit 1",
    "allowed",
    "What changed",
    "red → green",
    "scripted figures",
    "ledger  verified",
    "fettle rewind 1",
    "ANTHROPIC_API_KEY",
  ]) {
    expect(screen).toContain(part);
  }
  expect(screen).toMatch(/^ +\d+ \+ /m);
  expect(screen).toMatch(/^ +\d+ - /m);
  expect(code, screen).toBe(0);
});

test("without a sandbox the demo says which command it allows, and works", async () => {
  const { code, screen } = await stage({ sandboxed: false }).run(undefined);
  expect(screen.replace(/\s+/g, " ")).toContain(
    "The demo allows its one test command, `npm test`, by a rule of its own",
  );
  expect(screen).toContain("rules[0]");
  expect(code, screen).toBe(0);
});

test("tests that are not really green fail the demo, whatever the model says", async () => {
  const samples = changedSamples((text) =>
    text
      .replace("(at < rest ? share + 1 : share)", "share")
      .replace(/"expect": \["even shares[^\]]*"pass 6"[^\]]*\]/, '"expect": []'),
  );
  const { code, screen } = await stage({ samples }).run("javascript");
  expect(screen).toContain("The tests are green: 6 of 6.");
  expect(screen).toMatch(/The demo failed\. `npm test` is not green in /);
  expect(screen).not.toContain("fettle rewind 1");
  expect(code).toBe(1);
});

test("a request that does not fit the recording fails the demo", async () => {
  const samples = changedSamples((text) => text.replace('"fail 1"', '"fail 17"'));
  const { code, screen } = await stage({ samples }).run("javascript");
  expect(screen.replace(/\s+/g, " ")).toContain('"fail 17" is not in its last messages');
  expect(screen).toContain("The demo failed.");
  expect(code).toBe(1);
});

test("a ledger that was tampered with fails the demo", async () => {
  const one = stage();
  const tamper = () => {
    const projects = path.join(one.state, "fettle/projects");
    const [project = ""] = readdirSync(projects);
    const file = path.join(projects, project, "ledger/000001.jsonl");
    writeFileSync(file, readFileSync(file, "utf8").replace('"tool":"edit"', '"tool":"read"'));
  };
  const { code, screen } = await one.run("javascript", (client) => ({
    send: (command) => client.send(command),
    events: (after) => client.events(after),
    close: () => client.close(),
    read(kind, args) {
      if (kind === "audit.verify") tamper();
      return client.read(kind, args);
    },
  }));
  expect(screen).toContain("The ledger does not verify");
  expect(code).toBe(7);
});
