// The sample repositories that come with fettle, and whether this machine can run their tests.
import { readdirSync, readFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { grantedEnvironment, withPrograms } from "../../io/process/environment.ts";
import { runtimeFolder } from "../../io/installation.ts";
import { runProcess } from "../../io/process/run.ts";
import type { DemoRow } from "../../protocol/demo.ts";
import type { OpenFlags } from "../../protocol/open.ts";

export interface Sample {
  name: string;
  /** Holds `sample.json`, `recording.jsonl`, `task.jsonl` and `project/`. */
  folder: string;
  title: string;
  prompt: string;
  testCommand: string;
  testProgram: string;
  testArguments: string[];
  /** Succeeds where the tests can be run. */
  toolchain: string[];
  /** What that is, where it is more than the program. */
  needs?: string;
  /** Its tests need a newer Node than the machine may have: they run with the one that fettle runs with. */
  ownNode?: boolean;
  /** How to get the toolchain. */
  install: string;
  /** The governed task; the sample comes `without` these files, which it is about. */
  task: { title: string; request: string; without: string[] };
}

export function listSamples(folder: string): Sample[] {
  return readdirSync(folder)
    .sort()
    .map((name) => {
      const own = path.join(folder, name);
      const facts = JSON.parse(readFileSync(path.join(own, "sample.json"), "utf8")) as Omit<Sample, "name" | "folder">;
      return { ...facts, name, folder: own };
    });
}

/** Whose programs the sample's commands find before all others. */
export const programsOf = ({ ownNode }: Sample): Pick<OpenFlags, "programs"> =>
  ownNode ? { programs: runtimeFolder() } : {};

/** Undefined when the toolchain answers; else what is missing and the remedy. */
export async function toolchainProblem(
  sample: Sample,
  machine: NodeJS.ProcessEnv,
  home: string,
): Promise<{ text: string; remedy: string } | undefined> {
  const env = grantedEnvironment(withPrograms(machine, programsOf(sample).programs), { temporary: os.tmpdir(), home });
  const exit = await runProcess(
    { argv: sample.toolchain, cwd: sample.folder, env, timeoutMs: 10_000, head: 1000, tail: 1000, spillLimit: 0 },
    new AbortController().signal,
  );
  if (exit.ended === "exited" && exit.code === 0) return undefined;
  return {
    text: `The ${sample.name} demo needs ${sample.needs ?? sample.testProgram}, which ${exit.ended === "unstartable" || exit.code === 127 ? "is not installed" : "does not work"} here.`,
    remedy: sample.install,
  };
}

export async function describeSamples(
  samples: readonly Sample[],
  machine: NodeJS.ProcessEnv,
  home: string,
): Promise<DemoRow[]> {
  return Promise.all(
    samples.map(async (sample) => {
      const problem = await toolchainProblem(sample, machine, home);
      const { name, title, testCommand, task } = sample;
      return {
        name,
        title,
        testCommand,
        task: task.title,
        ...(problem && { problem: `${problem.text} ${problem.remedy}` }),
      };
    }),
  );
}
