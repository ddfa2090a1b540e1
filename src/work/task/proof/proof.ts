import { lookAt, profileFor } from "../stacks/list.ts";
import type { Proof } from "../stacks/profile.ts";
import type { Work } from "../work.ts";

/** How the locked test is run: as it was when the plan was frozen. */
export async function proofOf({ task, repository }: Work): Promise<Proof> {
  const { envelope } = task;
  const test = envelope?.plan.test;
  if (!envelope || !test) throw new Error("a plan without a test has no proof");
  const { commit } = envelope.base;
  const look = await lookAt(await repository.files(commit), (name) => repository.text(commit, name));
  const proof = profileFor(test.path)?.proof?.(test.path, look);
  if (!proof) throw new Error("a plan is frozen only when its test can be read");
  return proof;
}
