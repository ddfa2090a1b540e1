// What a run that was killed has left between the move of the branch and its end.
import { recordOf } from "./record.ts";
import { refreshed, writeSummaries } from "./integration.ts";
import type { PhasePlans } from "./phase.ts";
import { taskName } from "./run.ts";
import type { ProjectWork } from "../work/work.ts";

/** The person's files follow the branch, if nothing else has touched them. Undefined: nothing stands in the way. */
export async function recoverCheckout(work: ProjectWork): Promise<string | undefined> {
  const branch = await work.repository.branch();
  const tip = await work.repository.commit("HEAD");
  if (branch === undefined || tip === undefined) return undefined;
  const record = await recordOf({ git: readingGit(work), index: "" }, `refs/heads/${branch}`);
  if (record?.commit !== tip || (await work.repository.changed(false)).length === 0) return undefined;
  return refreshed(work, { base: record.base, commit: tip });
}

/** Summaries of plans that were integrated, where the planning files are not in git. */
export async function recoverSummaries(work: ProjectWork, phase: string, plans: PhasePlans): Promise<boolean> {
  const branch = await work.repository.branch();
  const record = await recordOf({ git: readingGit(work), index: "" }, `refs/heads/${branch ?? ""}`);
  if (!record) return false;
  const open = plans.waves.flatMap((wave) => wave.plans);
  const done = open.flatMap((document) => {
    const { id } = document.plan;
    const task = work.world.knownTask(taskName(id));
    const own = record.plans.find((each) => each.id === id);
    return task?.worktree && own?.commit === task.worktree.head && record.taken.includes(id)
      ? [{ document, task }]
      : [];
  });
  if (done.length > 0) await writeSummaries(work, { phase }, done);
  return done.length > 0;
}

function readingGit({ repository }: ProjectWork): Parameters<typeof recordOf>[0]["git"] {
  return {
    exit: async ([command, ...args]: string[]) => {
      const out = command === "cat-file" ? await repository.line("cat-file", ...args) : undefined;
      return { code: out === undefined ? 1 : 0, out: Buffer.from(out ?? ""), err: "" };
    },
    run: (args: string[]) => repository.run(["cat-file", ...args.slice(1)]),
  };
}
