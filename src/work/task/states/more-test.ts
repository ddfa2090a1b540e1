// The auditor's own test: it has to fail on the finished work for a reason in its subject; then the work goes back, and it is locked.
import { sha256 } from "../../../base/digest.ts";
import type { TaskRecord, TestLock } from "../../../protocol/task.ts";
import { telling } from "../healing/telling.ts";
import { opened } from "../machine/envelope.ts";
import { proofOf } from "../proof/proof.ts";
import { redBySubject } from "../proof/reason.ts";
import { readReport } from "../proof/report.ts";
import { sourceOf } from "../proof/source.ts";
import { subjectsOf } from "../proof/subjects.ts";
import { inScratch } from "../work/scratch.ts";
import type { Work } from "../work/work.ts";
import { writeFile } from "../world/commands.ts";
import { commitWork } from "../worktree/commit.ts";

export type MoreTest = NonNullable<TaskRecord["moreTest"]>;

/** Where it may be written; undefined where the plan names no place, or there is one already. */
export const moreTestHere = ({ envelope, moreTest }: TaskRecord): string | undefined =>
  moreTest ? undefined : envelope?.moreTest;

/** Runs it on the commit, in a scratch worktree. Undefined: it shows nothing that is wrong with the work. */
export async function tryMoreTest(
  work: Work,
  { text, shows }: { text: string; shows: string },
): Promise<MoreTest | undefined> {
  const file = moreTestHere(work.task);
  const proof = file === undefined ? undefined : await proofOf(work, file);
  if (file === undefined || !proof) return undefined;
  const { lent, copied } = opened(work.frozen);
  const commit = work.task.worktree?.head ?? "";
  return inScratch(work, { commit, lent, copied }, async (place) => {
    const { folder } = place;
    const refused = await writeFile(place, file, text, work.signal);
    work.check();
    if (refused !== undefined) {
      work.tell(`The auditor's own test was not written: ${refused}`, false);
      return undefined;
    }
    work.tell(`the auditor's own test, ${file}:`);
    const run = await work.runIn(place, proof.command);
    const report = readReport(proof.format, run.output, await sourceOf(folder, [file]), run.exit);
    const red = redBySubject(report, { test: file, text, subjects: subjectsOf(work), root: folder });
    if (!red) {
      work.tell(`It shows nothing that is wrong: ${report.result === "passed" ? "it passes" : telling(report.detail)}`);
      return undefined;
    }
    const { kind: result, failed, why } = red;
    return { text, shows, red: { result, failed, why, command: run.command, output: run.digest } };
  });
}

/** Written, committed and locked, before the coder is sent for it. */
export async function addMoreTest(work: Work): Promise<void> {
  const { envelope, moreTest, locks = [], worktree } = work.task;
  const file = envelope?.moreTest;
  if (!moreTest || file === undefined || !worktree || locks.some((lock) => lock.path === file)) return;
  const refused = await writeFile(work.place, file, moreTest.text, work.signal);
  work.check();
  if (refused !== undefined) return work.tell(`The auditor's own test was not written: ${refused}`, false);
  const head = await commitWork(work, "test");
  const lock: TestLock = { path: file, digest: sha256(moreTest.text), red: moreTest.red };
  work.note(
    { locks: [...locks, lock], worktree: { ...worktree, head } },
    `${file} fails and is locked: ${moreTest.shows}`,
  );
}
