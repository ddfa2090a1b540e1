// Makes a sample repository ready: a real git repository in a temporary folder, and a session that the recording answers.
import { cpSync, existsSync, mkdtempSync, realpathSync, renameSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Fault } from "../../base/fault.ts";
import { runGit } from "../../io/git/git.ts";
import { places } from "../../io/places/places.ts";
import { detectSandbox, type Sandbox } from "../../io/sandbox/sandbox.ts";
import type { DemoPlan, Demos, TaskDemoPlan } from "../../protocol/demo.ts";
import { Exit } from "../../protocol/exit.ts";
import type { OpenFlags } from "../../protocol/open.ts";
import { packageRoot } from "../../io/installation.ts";
import { prepareExtensions } from "./extensions.ts";
import { describeSamples, listSamples, programsOf, type Sample, toolchainProblem } from "./samples.ts";

/** The demonstrations of this installation, on this machine. */
export function openDemos(env: NodeJS.ProcessEnv): Demos {
  const { cache, home } = places(env);
  const samples = path.join(packageRoot(), "samples");
  const program = onPath("fettle", env) ? "fettle" : `sh ${path.join(packageRoot(), "bin", "fettle")}`;
  return createDemos({
    samples,
    env,
    home,
    program,
    sandbox: () => detectSandbox({ enabled: env["FETTLE_SANDBOX_ENABLED"] !== "false", cacheFolder: cache }),
  });
}

const onPath = (name: string, env: NodeJS.ProcessEnv): boolean =>
  (env["PATH"] ?? "").split(path.delimiter).some((folder) => folder !== "" && existsSync(path.join(folder, name)));

interface DemoParts {
  /** Folder of the sample repositories: `samples` of the installation. */
  samples: string;
  env: NodeJS.ProcessEnv;
  home: string;
  /** What a person types to run fettle. */
  program: string;
  sandbox(): Pick<Sandbox, "name" | "detail">;
}

const firstDemo = "javascript";

export function createDemos(parts: DemoParts): Demos {
  return {
    list: () => describeSamples(listSamples(parts.samples), parts.env, parts.home),
    async prepare(name = firstDemo) {
      const sample = await usableSample(parts, name);
      return planOf(sample, await makeWorkspace(sample), parts);
    },
    async prepareTask(name = firstDemo) {
      const sample = await usableSample(parts, name);
      return taskPlanOf(sample, await makeWorkspace(sample, sample.task.without), parts);
    },
    async prepareExtensions() {
      const { name, detail } = parts.sandbox();
      return prepareExtensions(name === "none" ? detail : undefined);
    },
    async prepareProject() {
      const { prepareProject } = await import("./project.ts");
      return prepareProject(parts.program, withoutSandbox(parts.sandbox()));
    },
  };
}

async function usableSample({ samples: folder, env, home }: DemoParts, name: string): Promise<Sample> {
  const samples = listSamples(folder);
  const sample = samples.find((candidate) => candidate.name === name);
  if (!sample) throw unknownDemo(name, samples);
  const problem = await toolchainProblem(sample, env, home);
  if (problem) throw new Fault("demo.toolchain", Exit.usage, problem.text, problem.remedy);
  return sample;
}

const unknownDemo = (name: string, samples: readonly Sample[]) =>
  new Fault(
    "demo.unknown",
    Exit.usage,
    `There is no demo called ${name}; there are ${samples.map((sample) => sample.name).join(", ")}.`,
    "`fettle demo --list` describes them.",
  );

function planOf(sample: Sample, workspace: string, parts: DemoParts): DemoPlan {
  const { name, title, prompt, testCommand } = sample;
  const sandbox = parts.sandbox();
  const open = sandbox.name === "none";
  const flags: OpenFlags = {
    cwd: workspace,
    model: "scripted/demo",
    autonomy: 2,
    headless: true,
    ...programsOf(sample),
    settings: {
      "providers.scripted.type": "recorded",
      "providers.scripted.recording": path.join(sample.folder, "recording.jsonl"),
      ...(open && { rules: [{ action: "allow", program: sample.testProgram, args: sample.testArguments }] }),
    },
  };
  const plan = { name, title, workspace, prompt, testCommand, flags, program: parts.program };
  if (!open) return plan;
  return {
    ...plan,
    policyNote: `This machine has no kernel sandbox (${sandbox.detail}). The demo allows its one test command, \`${testCommand}\`, by a rule of its own; anything else that is executed would ask.`,
  };
}

function taskPlanOf(sample: Sample, workspace: string, parts: DemoParts): TaskDemoPlan {
  const { name, testCommand, task } = sample;
  const flags: OpenFlags = {
    cwd: workspace,
    model: "scripted/demo",
    autonomy: 2,
    headless: false,
    ...programsOf(sample),
    settings: {
      "providers.scripted.type": "recorded",
      "providers.scripted.recording": path.join(sample.folder, "task.jsonl"),
    },
  };
  const plan = {
    name,
    title: task.title,
    workspace,
    request: task.request,
    testCommand,
    flags,
    program: parts.program,
  };
  const note = withoutSandbox(parts.sandbox());
  return { ...plan, ...(note !== undefined && { note }) };
}

const withoutSandbox = ({ name, detail }: Pick<Sandbox, "name" | "detail">): string | undefined =>
  name === "none"
    ? `This machine has no kernel sandbox (${detail}). The commands of the approved plan run with your rights, and no others do; everything else is as it would be.`
    : undefined;

/** The sample as a repository with one commit; without git a plain folder. Stays, for the person to look at. */
async function makeWorkspace(sample: Sample, without: readonly string[] = []): Promise<string> {
  const parent = realpathSync(mkdtempSync(path.join(os.tmpdir(), "fettle-demo-")));
  const workspace = path.join(parent, sample.name);
  cpSync(path.join(sample.folder, "project"), workspace, { recursive: true });
  renameSync(path.join(workspace, "gitignore"), path.join(workspace, ".gitignore"));
  for (const name of without) rmSync(path.join(workspace, name));
  const author = ["-c", "user.name=fettle demo", "-c", "user.email=demo@localhost"];
  for (const args of [
    ["init", "--quiet", "--initial-branch=main"],
    ["add", "--all"],
    [...author, "commit", "--quiet", "--message=Import the sample"],
  ]) {
    const { code } = await runGit(args, { cwd: workspace });
    if (code !== 0) break;
  }
  return workspace;
}
