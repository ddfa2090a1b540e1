// The technology of a task where its plan calls it something that nobody knows: by words, by files, then by asking.
import type { Plan } from "../../../protocol/plan.ts";
import type { TaskRecord } from "../../../protocol/task.ts";
import type { Work } from "../work/work.ts";
import { detectStack } from "../stacks/detect.ts";
import { profileOf } from "../stacks/list.ts";
import type { StackProfile } from "../stacks/profile.ts";

/** Its name; noted in the task where it is another one than the plan's. */
export async function settledStack(work: Work, plan: Plan): Promise<string> {
  if (profileOf(plan.stack)) return plan.stack;
  const found = detectStack(work.task.request.text, await work.repository.files());
  const stack = "stack" in found ? found.stack : await asked(work, plan, found.ask);
  const how = "stack" in found ? `by the ${found.by}` : "by the person's word, or none of them";
  work.note({ stack }, `the plan's ${plan.stack || "stack"} is taken for ${stack}, ${how}`);
  return stack;
}

async function asked(work: Work, plan: Plan, names: string[]): Promise<string> {
  const answer = await work.question(`Which of these is the plan about? It says ${JSON.stringify(plan.stack)}.`, names);
  return profileOf(answer ?? "")?.name ?? "generic";
}

export const profileIn = ({ stack, envelope }: TaskRecord): StackProfile | undefined =>
  profileOf(stack ?? envelope?.plan.stack ?? "");

/** What fettle itself needs to let programs run beside the plan's steps. */
export const neededBeside = ({ world }: Work, { background }: Plan): string[] =>
  background.length > 0 && world.home.sandboxed ? ["nsenter", "bash"] : [];
