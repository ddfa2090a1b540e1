import type { Envelope, Plan } from "../../../protocol/task.ts";
import { lookAt, profileFor } from "../stacks/list.ts";
import type { Proof } from "../stacks/profile.ts";
import type { Work } from "../work.ts";

/** How the plan's test is run so that its report can be read, by the repository as it is at `base`. */
export async function plannedProof(
  { repository }: Pick<Work, "repository">,
  { test, commands }: Plan,
  base: Envelope["base"],
): Promise<Proof | undefined> {
  if (!test) return undefined;
  const text = (name: string) => repository.text(base.commit, name);
  const look = await lookAt(await repository.files(base.commit), text, commands.test);
  return profileFor(test.path)?.proof?.(test.path, look);
}

/** As it was when the plan was frozen. */
export async function proofOf(work: Pick<Work, "task" | "repository">): Promise<Proof> {
  const { envelope } = work.task;
  const proof = envelope && (await plannedProof(work, envelope.plan, envelope.base));
  if (!proof) throw new Error("a plan is frozen only when its test can be read");
  return proof;
}
