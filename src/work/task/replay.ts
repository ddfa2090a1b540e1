// A recorded task decided again, from what was recorded: where inputs, plan or results are not what they were.
import { digestOf } from "../../base/digest.ts";
import type { TaskRecord, TaskReplay, Transition } from "../../protocol/task.ts";
import { mapRepository } from "./discovery.ts";
import { freeze } from "./envelope.ts";
import { toolchainDigest } from "./framing.ts";
import { approvalDigest } from "./evidence.ts";
import type { Repository } from "./git.ts";
import { failures, table } from "./machine.ts";
import { readPlan } from "./plan.ts";
import { lockfilesOf } from "./scope.ts";

type Finding = TaskReplay["differences"][number];

interface Recorded {
  task: TaskRecord;
  transitions: readonly Transition[];
  /** What the architect answered, in order. */
  plans: readonly unknown[];
}

/** Nothing is run and no model is asked. */
export async function replayTask(repository: Repository, recorded: Recorded): Promise<Finding[]> {
  const { task } = recorded;
  return [
    ...edges(recorded),
    ...(await inputs(repository, task)),
    ...plans(recorded),
    ...(await results(repository, recorded)),
  ];
}

const differs = (about: Finding["about"], what: string, was: string, is: string): Finding[] =>
  was === is ? [] : [{ about, what, was, is }];

function edges({ task, transitions }: Recorded): Finding[] {
  const found: Finding[] = [];
  let state: TaskRecord["state"] = "INTENT_ANALYSIS";
  for (const { seq, from, to } of transitions) {
    const legal = from === to || table[from].to.includes(to) || (failures as readonly string[]).includes(to);
    if (from !== state || !legal)
      found.push({ about: "decisions", what: `transition ${seq}`, was: `${from} -> ${to}`, is: `${state} -> ?` });
    state = to;
  }
  return [...found, ...differs("decisions", "state", task.state, state)];
}

/** The snapshot that the plan was made over has to be the same to the last bit. */
async function inputs(repository: Repository, { envelope, request, feedback = [] }: TaskRecord): Promise<Finding[]> {
  if (!envelope) return [];
  const { base } = envelope;
  const there = await repository.commit(base.commit);
  if (there === undefined)
    return [{ about: "inputs", what: "base commit", was: base.commit, is: "not in this repository" }];
  const said = feedbackAtFreeze(envelope.inputs.request, { request, feedback });
  return [
    ...differs("inputs", "request", envelope.inputs.request, said),
    ...differs("inputs", "repository map", envelope.inputs.map, (await mapRepository(repository, base.commit)).digest),
    ...differs("inputs", "base tree", envelope.inputs.tree, (await repository.tree(base.commit)) ?? ""),
    ...differs("inputs", "toolchain", envelope.inputs.toolchain, toolchainDigest(envelope)),
    ...differs(
      "inputs",
      "lockfiles",
      digestOf(envelope.lockfiles),
      digestOf(await lockfilesOf(repository, base.commit)),
    ),
  ];
}

/** What was said after the freeze is no input of the plan. */
function feedbackAtFreeze(
  wanted: string,
  { request, feedback }: { request: TaskRecord["request"]; feedback: string[] },
): string {
  const digests = [...feedback.keys(), feedback.length].map((count) =>
    digestOf({ request, feedback: feedback.slice(0, count) }),
  );
  return digests.find((digest) => digest === wanted) ?? digestOf({ request, feedback });
}

function plans({ task, plans: answers }: Recorded): Finding[] {
  const { envelope, planApproval } = task;
  if (!envelope) return [];
  const read = answers.map(readPlan).findLast((each) => "plan" in each);
  const drawn = read && "plan" in read ? digestOf(read.plan) : "none";
  const frozen = planApproval ? freeze(task) : undefined;
  return [
    ...differs("plan", "what the model planned", digestOf(envelope.plan), drawn),
    ...(frozen && "why" in frozen
      ? [{ about: "plan" as const, what: "envelope", was: envelope.digest, is: frozen.why }]
      : []),
  ];
}

async function results(repository: Repository, { task }: Recorded): Promise<Finding[]> {
  const { worktree, evidence, mergeApproval, merge, outcome } = task;
  const found: Finding[] = [];
  if (mergeApproval) found.push(...differs("results", "what was approved", mergeApproval.digest, approvalDigest(task)));
  const head = worktree && (await repository.tree(worktree.head));
  for (const each of evidence ?? []) {
    // Evidence of a commit that was sent back is of that commit.
    if (task.state === "COMPLETE") found.push(...differs("results", each.claim, each.tree, head ?? "gone"));
  }
  if (outcome?.kind === "merged" && merge) {
    found.push(...differs("results", "merged tree", head ?? "gone", (await repository.tree(merge.commit)) ?? "gone"));
  }
  return found;
}
