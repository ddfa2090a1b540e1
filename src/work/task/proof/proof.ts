import type { Plan } from "../../../protocol/plan.ts";
import type { Envelope } from "../../../protocol/task.ts";
import { lookAt, profileFor } from "../stacks/list.ts";
import { ownProof } from "../stacks/own.ts";
import type { Proof } from "../stacks/profile.ts";
import type { Work } from "../work/work.ts";

/** How one test of the plan is run so that its report can be read. */
export interface TestProof extends Proof {
  path: string;
}

/**
 * For each test of the plan, by the repository as it is at `base`; none for a plan without tests, and the path of the
 * first whose report nobody here can read.
 */
export async function plannedProofs(
  { repository }: Pick<Work, "repository">,
  { test, commands }: Plan,
  base: Envelope["base"],
): Promise<TestProof[] | { unreadable: string }> {
  if (!test) return [];
  const text = (name: string) => repository.text(base.commit, name);
  const look = await lookAt(await repository.files(base.commit), text, commands.test);
  const proofs: TestProof[] = [];
  for (const path of test.paths) {
    const proof = profileFor(path)?.proof?.(path, look) ?? ownProof(path, look);
    if (!proof) return { unreadable: path };
    proofs.push({ path, ...proof });
  }
  return proofs;
}

/** As it was when the plan was frozen. */
export async function proofsOf(work: Pick<Work, "task" | "repository">): Promise<TestProof[]> {
  const { envelope } = work.task;
  const proofs = envelope && (await plannedProofs(work, envelope.plan, envelope.base));
  if (!proofs || "unreadable" in proofs) throw new Error("a plan is frozen only when its tests can be read");
  return proofs;
}
