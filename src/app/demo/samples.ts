// The sample repositories that come with fettle, and whether this machine can run their tests.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { runProcess } from "../../io/process/run.ts";
import type { DemoRow } from "../../protocol/demo.ts";

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

/** Undefined when the toolchain answers; else what is missing and the remedy. */
export async function toolchainProblem(
  sample: Sample,
  env: Readonly<Record<string, string>>,
): Promise<{ text: string; remedy: string } | undefined> {
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
  env: Readonly<Record<string, string>>,
): Promise<DemoRow[]> {
  return Promise.all(
    samples.map(async (sample) => {
      const problem = await toolchainProblem(sample, env);
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
