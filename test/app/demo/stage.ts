// The demonstrations in this process: a home of their own, a screen that is read back.
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { PassThrough } from "node:stream";
import { onTestFinished } from "vitest";
import { openClient } from "../../../src/app/door/client.ts";
import { runExtensionsDemo } from "../../../src/surfaces/cli/commands/demo/extensions.ts";
import { createDemos } from "../../../src/app/demo/prepare.ts";
import { listSamples, toolchainProblem } from "../../../src/app/demo/samples.ts";
import { detectSandbox } from "../../../src/io/sandbox/sandbox.ts";
import { runProjectDemo } from "../../../src/surfaces/cli/commands/demo/project.ts";
import { runTaskDemo } from "../../../src/surfaces/cli/commands/demo/task.ts";
import type { ExtensionsDemoPlan, ProjectDemoPlan } from "../../../src/protocol/demo.ts";
import type { Client } from "../../../src/protocol/client.ts";
import { temporaryFolder } from "../../support/folders.ts";

export const bundled = path.join(import.meta.dirname, "../../../samples");

export interface StageOptions {
  /** False: a machine without bubblewrap. */
  sandboxed?: boolean;
  samples?: string;
}

/** What a demonstration runs with; what it has prepared is removed with the test. */
export function demoStage({ sandboxed = true, samples = bundled }: StageOptions = {}) {
  const root = temporaryFolder();
  const state = path.join(root, "state");
  const env = {
    ...process.env,
    XDG_STATE_HOME: state,
    XDG_CONFIG_HOME: path.join(root, "config"),
    XDG_CACHE_HOME: path.join(root, "cache"),
    XDG_DATA_HOME: path.join(root, "data"),
    ...(!sandboxed && { FETTLE_SANDBOX_ENABLED: "false" }),
  };
  const sandbox = () => detectSandbox({ enabled: sandboxed, cacheFolder: path.join(root, "cache/fettle") });
  const demos = createDemos({ samples, env, home: os.homedir(), program: "fettle", sandbox });
  const removed = <T extends { workspace: string }>(plan: T): T => {
    onTestFinished(() => rmSync(path.dirname(plan.workspace), { recursive: true, force: true }));
    stage.workspace = plan.workspace;
    return plan;
  };
  const stage = { state, samples, workspace: "", host };
  return stage;

  function host(wrap: (client: Client) => Client = (client) => client) {
    const stdout = new PassThrough();
    const shown = { screen: "" };
    stdout.on("data", (chunk: Buffer) => (shown.screen += chunk.toString()));
    return {
      shown,
      open: async (flags: Parameters<typeof openClient>[0], more = {}) =>
        wrap(openClient(flags, { ...env, ...more }, "0.0.0")),
      demos: async () => ({
        ...demos,
        prepare: async (wanted: string | undefined) => removed(await demos.prepare(wanted)),
        prepareTask: async (wanted: string | undefined) => removed(await demos.prepareTask(wanted)),
        prepareExtensions: async () => removed(await demos.prepareExtensions()),
        prepareProject: async () => removed(await demos.prepareProject()),
      }),
      stdin: new PassThrough(),
      stdout,
      stderr: new PassThrough(),
      env: { ...env, LANG: "C.UTF-8", LC_ALL: "C.UTF-8" },
      version: "0.0.0",
      onSignal: () => () => undefined,
      readText: async () => "",
    };
  }
}

/** The demonstration of a task as a person sees it. */
export async function showTask(name: string, options?: StageOptions) {
  const stage = demoStage(options);
  const host = stage.host();
  const code = await runTaskDemo(name, host, true);
  return { code, screen: host.shown.screen, workspace: stage.workspace };
}

/** The demonstration of what others bring; `change`: of what it is shown with. */
export async function showExtensions(change: (plan: ExtensionsDemoPlan) => void = () => undefined) {
  const stage = demoStage();
  const host = stage.host();
  const demos = await host.demos();
  const prepareExtensions = async () => {
    const plan = await demos.prepareExtensions();
    change(plan);
    return plan;
  };
  const code = await runExtensionsDemo({ ...host, demos: async () => ({ ...demos, prepareExtensions }) }, true);
  return { code, screen: host.shown.screen, state: stage.state };
}

/** The demonstration of a project; `change`: of what it is shown with. */
export async function showProject(change: (plan: ProjectDemoPlan) => void = () => undefined) {
  const stage = demoStage();
  const host = stage.host();
  const demos = await host.demos();
  const prepareProject = async () => {
    const plan = await demos.prepareProject();
    change(plan);
    return plan;
  };
  const code = await runProjectDemo({ ...host, demos: async () => ({ ...demos, prepareProject }) }, true);
  return { code, screen: host.shown.screen, state: stage.state };
}

/** The bundled samples with one recording changed, of the JavaScript one if no other is named. */
export function changedSamples(recording: string, change: (recording: string) => string, name = "javascript"): string {
  const folder = temporaryFolder();
  cpSync(bundled, folder, { recursive: true });
  const file = path.join(folder, name, recording);
  writeFileSync(file, change(readFileSync(file, "utf8")));
  return folder;
}

export function sampleOf(name: string) {
  const sample = listSamples(bundled).find((one) => one.name === name);
  if (!sample) throw new Error(`no sample ${name}`);
  return sample;
}

/** Whether this machine has what a sample's tests run with. */
export async function usable(name: string): Promise<boolean> {
  return (await toolchainProblem(sampleOf(name), process.env, os.homedir())) === undefined;
}
