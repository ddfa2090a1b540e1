// Whether a phase may leave the machine: what its files and its evidence have to say first.
import { Fault } from "../../../base/fault.ts";
import { Exit } from "../../../protocol/exit.ts";
import type { ProjectEvidence, ProjectPhase } from "../../../protocol/project.ts";
import type { ProjectWork } from "../work/work.ts";

/** Of the commit that is shipped. Throws a Fault that says what is missing, and what to run. */
export async function shownFor(work: ProjectWork, phase: ProjectPhase, head: string): Promise<ProjectEvidence> {
  const evidence = (await work.world.evidence(phase.number)).at(-1);
  const missing = missingOf(phase, evidence);
  if (missing) throw notVerified(phase.number, missing);
  const shown = evidence as ProjectEvidence;
  const changed = await changedSince(work, shown, head);
  if (changed) throw notVerified(phase.number, [changed, `fettle project verify ${phase.number}`]);
  return shown;
}

const notVerified = (number: string, [why, run]: readonly [string, string]): Fault =>
  new Fault("project.not-verified", Exit.failed, `Phase ${number} is not shipped: ${why}.`, `First: ${run}`);

/** Why not, and what to run. The evidence counts, and not what VERIFICATION.md says beside it. */
export function missingOf(
  { number, plans, state }: Pick<ProjectPhase, "number" | "plans" | "state">,
  evidence: ProjectEvidence | undefined,
): readonly [why: string, run: string] | undefined {
  const open = plans.filter(({ summarized }) => !summarized).map(({ id }) => id);
  const verify = `fettle project verify ${number}`;
  if (plans.length === 0) return ["it has no plans", `fettle project plan ${number}`];
  if (open.length > 0) return [`not executed is ${open.join(", ")}`, `fettle project execute ${number}`];
  if (!evidence) return ["nothing shows that it does what it promised", verify];
  if (!evidence.known) return [`the ledger does not know ${evidence.path}`, verify];
  if (evidence.status === "gaps_found")
    return state === "mended"
      ? ["its gaps were worked on, and it was not verified again", verify]
      : [`its verification found gaps: ${gapsOf(evidence)}`, `fettle project plan ${number} --gaps`];
  if (state !== "done")
    return ["only a person can look at a part of it, and has not", `fettle project verify-work ${number}`];
  return undefined;
}

const gapsOf = ({ checks }: ProjectEvidence): string =>
  checks
    .filter(({ result }) => result === "failed")
    .slice(0, 3)
    .map(({ plan, claim }) => `${plan} ${claim}`)
    .join("; ");

/** What was verified is what is shipped, but for planning files. */
async function changedSince(
  { repository }: ProjectWork,
  { commit }: ProjectEvidence,
  head: string,
): Promise<string | undefined> {
  if ((await repository.commit(commit)) === undefined)
    return `the commit that was verified (${commit.slice(0, 9)}) is gone`;
  const code = (await repository.differing(commit, head)).filter(({ path }) => !path.startsWith(".planning/"));
  const [first] = code;
  if (!first) return undefined;
  const more = code.length > 1 ? ` and ${code.length - 1} more` : "";
  return `${first.path}${more} changed after it was verified`;
}
