// Tells before a task begins what earlier ones of this repository took, and what it may cost at most.
import { moneyText, timeText } from "../../work/task/machine/page.ts";
import type { Assembly } from "../agents/assembly.ts";
import type { Program } from "../program/program.ts";

const looked = 100;
/** Fewer say nothing of the next one. */
const least = 3;

export function tellEstimate({ session, budget }: Assembly, program: Program): void {
  const left = budget.left();
  const text = [
    pastText(program),
    ...(Number.isFinite(left) ? [`It stops at ${moneyText(left)}, which is what the limits leave.`] : []),
  ].filter(Boolean);
  if (text.length > 0)
    session.append({ type: "notice.given", code: "task.estimate", level: "info", text: text.join(" ") });
}

/** Without the highest and the lowest tenth; empty where there are too few. */
export function pastText(program: Program): string {
  const store = program.store();
  const done = store
    .tasks(looked)
    .map(({ task }) => task)
    .filter(
      ({ outcome }) =>
        outcome !== undefined && ["merged", "proposed", "left"].includes(outcome.kind) && !outcome.undone,
    );
  if (done.length < least) return "";
  const range = (values: readonly number[], text: (value: number) => string) => {
    const sorted = values.toSorted((one, other) => one - other);
    const [low = 0, high = 0] = [sorted[Math.floor(sorted.length / 10)], sorted[Math.ceil(sorted.length * 0.9) - 1]];
    return text(low) === text(high) ? text(low) : `${text(low)} to ${text(high)}`;
  };
  const costs = done.flatMap(({ session }) => store.costOf(session) ?? []);
  return `${done.length} tasks that were done here took ${range(
    done.map(({ spentMs }) => spentMs),
    timeText,
  )} each${costs.length === done.length ? `, and ${range(costs, moneyText)}` : ""}.`;
}
