// What was mended for the auditor: with the code as it was when they objected, some check has to fail, or nobody but the auditor
// notices the difference.
import type { Objection } from "../../../protocol/evidence.ts";
import { opened } from "../machine/envelope.ts";
import { floorOf, isSameRun, standFor } from "../machine/floor.ts";
import { isDocument } from "../machine/plan.ts";
import { proofsOf } from "../proof/proof.ts";
import { readReport } from "../proof/report.ts";
import { isLockfile } from "../stacks/list.ts";
import { succeeded } from "../world/commands.ts";
import type { Differing } from "../world/git.ts";
import { inScratch } from "../work/scratch.ts";
import type { Work } from "../work/work.ts";
import { putBack } from "./as-before.ts";
import { isTest } from "./definitions.ts";
import { placeless } from "./flaky.ts";
import { onlyKnownRed } from "./floor.ts";
import { judgeOwn } from "./replaced.ts";

/** Objections without a test of their own that led to another commit, and for which every check passes also on the one before. */
export async function unnoticedMends(work: Work): Promise<Objection[]> {
  const { objections = [], worktree } = work.task;
  const head = worktree?.head ?? "";
  const found: Objection[] = [];
  for (const each of objections) {
    if (each.shown || each.head === undefined || each.head === head) continue;
    const mended = (await work.repository.differing(each.head, head)).filter(
      ({ path }) => !isTest(path) && !isDocument(path) && !isLockfile(path),
    );
    if (mended.length > 0 && !(await notices(work, each, mended))) found.push(each);
  }
  return found;
}

/** The tests as they are now, over the code as the auditor saw it. */
async function notices(work: Work, { head = "" }: Objection, mended: readonly Differing[]): Promise<boolean> {
  const { plan, lent, copied } = opened(work.frozen);
  const floor = floorOf(work.task);
  const proofs = await proofsOf(work);
  const own = (command: string) =>
    standFor(work.task, command).length > 0 || proofs.some((proof) => isSameRun(proof.command, command));
  // Programs that have to be up first would be needed for these to say anything.
  const alone = plan.background.length + plan.run.length + plan.migrate.length + plan.seed.length === 0;
  const acceptance = alone ? plan.acceptance.map(({ command }) => command).filter((command) => !own(command)) : [];
  return inScratch(work, { commit: work.task.worktree?.head ?? "", lent, copied }, async (place) => {
    work.tell("with the code as it was when the auditor objected, where a check has to fail:");
    await putBack(work, place, head, mended);
    const run = async (command: string) => {
      place.forget();
      return placeless(await work.runIn(place, command), place.folder);
    };
    for (const { command, format } of proofs) {
      const ran = await run(command);
      const report = readReport(format, ran.output, undefined, ran.exit);
      if (!succeeded(ran) && !onlyKnownRed(ran, report, work.task)) return true;
    }
    for (const check of floor) if (!(await judgeOwn(work, check, await run(check.run))).ok) return true;
    for (const command of acceptance) if (!succeeded(await run(command))) return true;
    return false;
  });
}
