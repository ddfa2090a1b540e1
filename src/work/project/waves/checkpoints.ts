// What the plans of a wave want of a person before they begin: decisions, and acts that no program can do.
import type { ExecutablePlan } from "../formats/executable-plan.ts";
import type { ProjectWork, Reads } from "../work/work.ts";

/** By the id of the plan, what was answered, as whoever carries it out is told. Throws StepWaits where nobody is there. */
export async function answersFor(
  work: ProjectWork,
  plans: readonly ExecutablePlan[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const answers = new Map<string, string[]>();
  for (const { plan, tasks } of plans)
    for (const task of tasks) {
      const about = `Plan ${plan.id}, ${task.name || "checkpoint"}: ${task.instructions}`.trim();
      if (task.type === "checkpoint:decision") {
        const answer = await work.ask(about, []);
        answers.set(plan.id, [
          ...(answers.get(plan.id) ?? []),
          `The person was asked: ${about}\nThey decided: ${answer}`,
        ]);
      } else if (task.type === "checkpoint:human-action") {
        const answer = await work.ask(`${about} Say when it is done.`, ["done"], undefined, isDone);
        answers.set(plan.id, [...(answers.get(plan.id) ?? []), `The person did: ${about}\nThey say: ${answer}`]);
      }
    }
  return answers;
}

/** With whatever is said beside it. */
const isDone: Reads = (said) =>
  /^(?:done|yes|fertig|erledigt|ja)(?![\p{L}\p{N}])/iu.test(said.trim()) ? said : undefined;

/** What only a person can look at, once the work is there. */
export const humanChecks = (plans: readonly ExecutablePlan[]): string[] =>
  plans.flatMap(({ plan, tasks }) =>
    tasks
      .filter(({ type }) => type === "checkpoint:human-verify")
      .map(
        ({ name, instructions, done }) =>
          `${plan.id}: ${[name, instructions, done].filter(Boolean).join(" — ").replace(/\s+/g, " ")}`,
      ),
  );
