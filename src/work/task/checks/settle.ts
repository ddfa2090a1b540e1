// The technology of a task where its plan does not say it, or in a word that nobody knows: by the planned files, by words, by
// all files, then by asking.
import type { Plan } from "../../../protocol/plan.ts";
import type { TaskRecord } from "../../../protocol/task.ts";
import type { Work } from "../work/work.ts";
import { detectStack } from "../stacks/detect.ts";
import { isDocument } from "../machine/plan.ts";
import { profileFor, profileOf } from "../stacks/list.ts";
import type { StackProfile } from "../stacks/profile.ts";

/** Its name; noted in the task where it is another one than the plan's. */
export async function settledStack(work: Work, plan: Plan): Promise<string> {
  const said = profileOf(plan.stack);
  if (said && said.name !== "generic") return plan.stack;
  const planned = ofPlanned(plan);
  if (planned === undefined && said) return plan.stack;
  const found = planned ? { stack: planned, by: "planned files" } : await detected(work, plan);
  const stack = "stack" in found ? found.stack : await asked(work, plan, found.ask);
  const how = "stack" in found ? `by the ${found.by}` : "by the person's word, or none of them";
  work.note({ stack }, `the plan's ${plan.stack || "stack"} is taken for ${stack}, ${how}`);
  return stack;
}

const detected = async ({ task, repository }: Work, { files }: Plan): Promise<ReturnType<typeof detectStack>> =>
  files.every(({ path }) => isDocument(path))
    ? { stack: "generic", by: "files" }
    : detectStack(task.request.text, await repository.files());

/** The one that all planned files with a technology of their own belong to. */
function ofPlanned({ files }: Plan): string | undefined {
  const names = files.flatMap(({ path }) => profileFor(path)?.name ?? []).filter((name) => name !== "generic");
  const [one, ...others] = new Set(names);
  return others.length === 0 ? one : undefined;
}

async function asked(work: Work, plan: Plan, names: string[]): Promise<string> {
  const answer = await work.question(
    `Which of these is the plan about?${plan.stack === "" ? "" : ` It says ${JSON.stringify(plan.stack)}.`}`,
    names,
  );
  return profileOf(answer ?? "")?.name ?? "generic";
}

export const profileIn = ({ stack, envelope }: TaskRecord): StackProfile | undefined =>
  profileOf(stack ?? envelope?.plan.stack ?? "");

/** What fettle itself needs to let programs run beside the plan's steps. */
export const neededBeside = ({ world }: Work, { background }: Plan): string[] =>
  background.length > 0 && world.home.sandboxed ? ["nsenter", "bash"] : [];
