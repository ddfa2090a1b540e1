import type { Rehearsal } from "../../../protocol/task.ts";
import { ownChecks, type OwnCheck } from "../checks/own-checks.ts";
import { nothingRuns, rehearsalText, rehearse } from "../checks/rehearse.ts";
import { lookAt } from "../stacks/list.ts";
import { copyable, ignoredIn, lendable } from "../work/isolation.ts";
import { inScratch } from "../work/scratch.ts";
import type { StateOutcome, TaskState, Work } from "../work/work.ts";

const again = "try again";
const without = "go on without";

/** The repository's own checks are run, contained, on the untouched base: plan and evidence rest on what was seen to work. */
export const rehearsing: TaskState = {
  name: "REHEARSAL",
  async work(work) {
    const { repository, task } = work;
    const commit = (await repository.commit("HEAD")) ?? "";
    if (task.intent?.docsOnly) return done({ commit, checks: [] }, "documents only: nothing is to be run");
    for (;;) {
      const found = task.rehearsal?.question === undefined ? await rehearsed(work, commit) : task.rehearsal;
      if (nothingRuns(found) === undefined) return done(found, rehearsalText(found)[0] ?? "");
      const came = await ask(work, found);
      if (came) return came;
    }
  },
};

const done = (rehearsal: Rehearsal, detail: string): StateOutcome => ({ to: "PLANNING", patch: { rehearsal }, detail });

async function rehearsed(work: Work, commit: string, more: readonly OwnCheck[] = []): Promise<Rehearsal> {
  const { repository, world } = work;
  const look = await lookAt(await repository.files(commit), (name) => repository.text(commit, name));
  const declared = [...more, ...(await ownChecks(look))];
  if (declared.length === 0) return { commit, checks: [] };
  const ignored = await ignoredIn(repository);
  const { copied } = await copyable(repository, ignored);
  const checks: Rehearsal["checks"] = [];
  await inScratch(work, { commit, lent: lendable(ignored), copied }, async (place) => {
    for (const check of declared) {
      const { asks } = await world.foresee(check.run.command);
      const run = async (command: string) => {
        const ran = await work.runIn(place, command);
        return { ...ran, output: ran.output.replaceAll(`${place.folder}/`, "") };
      };
      checks.push(
        asks === undefined
          ? await rehearse(check, run, world.clock)
          : { ...plainly(check), exit: null, ms: 0, result: "not allowed", said: asks },
      );
    }
  });
  return { commit, checks };
}

const plainly = ({ kind, command, from, run }: OwnCheck) => ({
  ...{ kind, command, from },
  ...{ run: run.command, format: run.format },
});

/** Undefined: it is to be tried again. */
async function ask(work: Work, found: Rehearsal): Promise<StateOutcome | undefined> {
  const question = `${nothingRuns(found)} Mend it and “${again}”, name a command that runs the tests, or “${without}”, which every page will say.`;
  work.note({ rehearsal: { ...found, question } }, `to be asked: ${question}`);
  const answer = (await work.question(question, [again, without]))?.trim() ?? "";
  if (answer === "") return { pause: `${question} Answer it: fettle task answer ${work.task.id} "…"` };
  const { question: _, ...plain } = { ...found, question };
  if (answer === without) return done({ ...plain, without: true }, "nothing can be run here, and you go on without");
  const named: OwnCheck[] =
    answer === again
      ? []
      : [{ kind: "test", command: answer, run: { command: answer, format: "any", whole: true }, from: "you" }];
  const next = await rehearsed(work, found.commit, named);
  if (nothingRuns(next) === undefined) return done(next, rehearsalText(next)[0] ?? "");
  work.note({ rehearsal: next }, "still nothing runs");
  return undefined;
}
