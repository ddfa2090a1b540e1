// A task driven as a person does: begun, answered for, looked at.
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { existsSync, readdirSync, chmodSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { TaskView } from "../../../src/protocol/task.ts";
import type { Exited, RunOptions, Started } from "../../support/program.ts";
import { makeScene, type Scene } from "../../scenarios/scene.ts";
import { crew, type MissionScript, nodeFiles, fixed, say, write, shell, architect } from "./crew.ts";
import { expect } from "vitest";

export const openScene = (
  missions: Record<string, MissionScript>,
  files: Record<string, string> = nodeFiles,
  env: Record<string, string> = {},
): Promise<Scene> => makeScene(crew(missions), { git: true, files, env });

/** Commands write to the worktree itself, as they do where there are no layers. */
export const withoutLayers = { FETTLE_SANDBOX_CONTAINMENT: "off" };

export const words = "fix the rounding bug: 1.5 should become 2";
const patience: RunOptions = { timeoutMs: 60_000 };

export const taskId = (text: string): string => /fettle task approve (\w+)/.exec(text)?.[1] ?? "";

/** Begins it, and approves its plan. */
export async function planned(
  scene: Scene,
  more: readonly string[] = [],
  text = words,
): Promise<Exited & { id: string }> {
  const begun = await scene.run(["task", ...more, text], patience);
  const id = taskId(begun.stderr);
  if (begun.code !== 3) throw new Error(`no plan: ${begun.stderr}${begun.stdout}`);
  return { id, ...(await approve(scene, id)) };
}

export const approve = (scene: Scene, id: string, ...more: string[]): Promise<Exited> =>
  scene.run(["task", "approve", id, ...more], patience);

/** What `fettle task show` shows, which has tests of its own. */
export const look = (scene: Scene, id: string): Promise<TaskView> => scene.read("task.show", { task: id });

export const states = ({ transitions }: TaskView): string[] =>
  transitions.filter(({ from, to }) => from !== to).map(({ to }) => to);

function databaseOf(scene: Scene): string | undefined {
  const projects = path.join(scene.home.folder, ".local/state/fettle/projects");
  const [only] = existsSync(projects) ? readdirSync(projects) : [];
  const file = only && path.join(projects, only, "state.db");
  return file && existsSync(file) ? file : undefined;
}

/** Counts the transitions that are stored, over all tasks; as another process sees them. */
class Transitions {
  readonly #scene: Scene;
  #database: DatabaseSync | undefined;
  #count: StatementSync | undefined;

  constructor(scene: Scene) {
    this.#scene = scene;
  }

  get count(): number {
    const file = this.#database ? undefined : databaseOf(this.#scene);
    if (file) this.#database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
    const table = "select 1 from sqlite_master where name = 'task_transition'";
    if (!this.#count && this.#database?.prepare(table).get())
      this.#count = this.#database.prepare("select count(*) as n from task_transition");
    return Number(this.#count?.get()?.["n"] ?? 0);
  }

  close(): void {
    this.#database?.close();
  }
}

export function transitionCount(scene: Scene): number {
  const transitions = new Transitions(scene);
  try {
    return transitions.count;
  } finally {
    transitions.close();
  }
}

/** Ends the program by force as soon as `count` transitions are stored; false when it ended before. */
export async function killedAt(scene: Scene, run: Started, count: number): Promise<boolean> {
  const transitions = new Transitions(scene);
  try {
    for (;;) {
      if (run.child.exitCode !== null || run.child.signalCode !== null) return false;
      if (transitions.count >= count) {
        run.signal("SIGKILL");
        await run.exited;
        return true;
      }
      await sleep(3);
    }
  } finally {
    transitions.close();
  }
}

export const untouched = (scene: Scene) =>
  expect(scene.git("status", "--porcelain") + scene.text("src/round.js")).toBe(nodeFiles["src/round.js"]);

export function hook(scene: Scene, name: string, lines: string): void {
  scene.put(name, `#!/bin/sh\n${lines}\n`);
  chmodSync(scene.at(name), 0o755);
}

export const branchFiles = async (scene: Scene, id: string) =>
  scene
    .git("diff", "--name-only", "main", (await look(scene, id)).task.worktree?.branch ?? "")
    .trim()
    .split("\n");

export const spoiling = {
  missions: {
    ...architect({ run: ["sh change.sh"] }),
    coder: ({ said }: { said: number }) =>
      [write("test/round.test.js", "x"), write("src/round.js", fixed), shell("sh change.sh")][said] ?? say("Done."),
  },
  files: { ...nodeFiles, "change.sh": "echo // more >> test/round.test.js\n" },
};

/** A package that the tests of a task rest on. */
export const putPackage = (scene: Scene, text: string) => {
  scene.put("node_modules/checker/package.json", '{"main":"index.js","version":"1.0.0"}');
  scene.put("node_modules/checker/index.js", text);
};
