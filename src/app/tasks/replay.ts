import { readEntries } from "../../guard/ledger/ledger.ts";
import type { TaskReplay } from "../../protocol/task.ts";
import { answerIn } from "../../work/task/world/answers.ts";
import { Repository } from "../../work/task/world/git.ts";
import { replayTask } from "../../work/task/replay.ts";
import type { Program } from "../program/program.ts";
import { replayed } from "../record/replay.ts";
import { namedTask } from "./look.ts";
import { textIn } from "../../base/text-in.ts";

/** Decisions of a task taken again from its record: by the machine, and act by act by the policy of now. */
export async function replayOf(program: Program, id: string): Promise<TaskReplay> {
  const task = namedTask(program, id);
  const transitions = program.store().transitions(task.id);
  const plans = plannedIn(program, task.session);
  const noted = await notedOf(program, task.id);
  const differences = await replayTask(new Repository(program.workspace), { task, transitions, plans, noted });
  const acts = await replayed(program, { session: task.session });
  // What the envelope answered, the ledger's replay asks a person.
  const changed = acts.changed.filter(({ was, would }) => was.rule !== "envelope" || would.verdict === "deny");
  const policy = changed.map(({ seq, effects, was, would }) => ({
    about: "policy" as const,
    what: `entry ${seq}: ${effects.join(", ")}`,
    was: `${was.verdict} (${was.rule})`,
    is: `${would.verdict} (${would.rule})`,
  }));
  return { id: task.id, acts: acts.acts, transitions: transitions.length, differences: [...differences, ...policy] };
}

type Noted = Parameters<typeof replayTask>[1]["noted"][number];

async function notedOf(program: Program, id: string): Promise<Noted[]> {
  const found: Noted[] = [];
  for await (const { name, data } of readEntries(program.project.ledger, { text: id })) {
    if (name !== "task.moved" || typeof data !== "object" || data === null || Array.isArray(data)) continue;
    const { task, from, to, patch } = data;
    if (task === id) found.push({ from: String(from), to: String(to), ...(typeof patch === "string" && { patch }) });
  }
  return found;
}

/** Answers of the missions that were JSON; what is no plan among them is left out later. */
function plannedIn(program: Program, session: string): unknown[] {
  return program
    .store()
    .facts(session)
    .flatMap((fact) => {
      if (fact.type !== "round.ended") return [];
      const text = textIn(fact.content);
      const answer = answerIn(text);
      return answer === undefined ? [] : [answer];
    });
}
