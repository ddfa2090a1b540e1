// A recorded task decided again, from what was recorded: where inputs, decisions, plan or results are not what they were.
import { digestOf, sha256 } from "../../base/digest.ts";
import { foldTask } from "../../protocol/task-fold.ts";
import type { TaskPatch, TaskRecord, TaskReplay, Transition } from "../../protocol/task.ts";
import { mapRepository } from "./checks/discovery.ts";
import { freeze } from "./machine/envelope.ts";
import { toolchainDigest, wishes } from "./states/framing.ts";
import { approvalDigest } from "./machine/evidence.ts";
import type { Repository } from "./world/git.ts";
import { guessIntent } from "./machine/intent.ts";
import { holds, type InvariantName } from "./machine/invariants.ts";
import { failures, judgeStep, table } from "./machine/machine.ts";
import { readPlan } from "./machine/plan.ts";
import { inWorkingForm } from "./checks/working-form.ts";
import { lockfilesOf } from "./machine/scope.ts";

type Finding = TaskReplay["differences"][number];

interface Recorded {
  task: TaskRecord;
  transitions: readonly Transition[];
  /** What the architect answered, in order. */
  plans: readonly unknown[];
  /** The same transitions as the ledger knows them; others may be among them, which were cut off before they were stored. */
  noted: readonly Noted[];
}

interface Noted {
  from: string;
  to: string;
  /** Absent where the ledger keeps no content. */
  patch?: string;
}

/** What the ledger keeps of what a transition changed. */
export const patchDigest = (patch: TaskPatch): string => sha256(JSON.stringify(patch));

/** Nothing is run and no model is asked. */
export async function replayTask(repository: Repository, recorded: Recorded): Promise<Finding[]> {
  const { task } = recorded;
  return [
    ...edges(recorded),
    ...unnoted(recorded),
    ...(await decisions(repository, recorded)),
    ...(await inputs(repository, task)),
    ...plans(repository.folder, recorded),
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

/** What was edited after it was stored is not what the ledger says. */
function unnoted({ transitions, noted }: Recorded): Finding[] {
  if (transitions.length > 0 && noted.length === 0)
    return [{ about: "decisions", what: "transitions", was: "none in the ledger", is: String(transitions.length) }];
  let next = 0;
  return transitions.flatMap(({ seq, from, to, patch }): Finding[] => {
    const digest = patchDigest(patch);
    const same = (each: Noted) => each.from === from && each.to === to && (each.patch ?? digest) === digest;
    const at = noted.findIndex((each, index) => index >= next && same(each));
    if (at >= 0) {
      next = at + 1;
      return [];
    }
    const about = patch.evidence || patch.ci || patch.locks ? "results" : "decisions";
    return [
      { about, what: `transition ${seq} (${from} -> ${to})`, was: "other in the ledger", is: digest.slice(0, 12) },
    ];
  });
}

/** Those that rest on the record alone. */
const recordedOnly: readonly InvariantName[] = [
  "request given",
  "intent classified",
  "intent only asks",
  "repository mapped",
  "plan signed and frozen",
  "intent needs a test",
  "test failed by its subject",
  "test there if needed",
  "merge signed",
];

async function decisions(repository: Repository, { task, transitions }: Recorded): Promise<Finding[]> {
  const { id, session, request, startedAt, intent } = task;
  const guess = guessIntent(request.text);
  const found = intent?.by === "heuristic" ? differs("decisions", "intent", intentText(intent), intentText(guess)) : [];
  let before: TaskRecord = { id, session, request, startedAt, state: "INTENT_ANALYSIS", spentMs: 0 };
  for (const each of transitions) {
    const { seq, from, to, patch, at } = each;
    if (from === before.state && table[from].to.includes(to)) {
      const step = await judgeStep(before, { to, patch, detail: "" }, async (name, next) =>
        recordedOnly.includes(name) ? holds(name, next, { repository, now: at }) : undefined,
      );
      if (step.to !== to)
        found.push({ about: "decisions", what: `transition ${seq}`, was: to, is: `${step.to}: ${step.detail}` });
    }
    before = foldTask(before, each);
  }
  return found;
}

const intentText = ({ intent, confidence, docsOnly }: NonNullable<TaskRecord["intent"]>): string =>
  `${intent} (${Math.round(confidence * 100)} %)${docsOnly ? ", documents only" : ""}`;

/** The snapshot that the plan was made over has to be the same to the last bit. */
async function inputs(
  repository: Repository,
  { envelope, request, feedback = [], replanned = [] }: TaskRecord,
): Promise<Finding[]> {
  if (!envelope) return [];
  const { base } = envelope;
  const there = await repository.commit(base.commit);
  if (there === undefined)
    return [{ about: "inputs", what: "base commit", was: base.commit, is: "not in this repository" }];
  const said = feedbackAtFreeze(envelope.inputs.request, { request, feedback, replanned });
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
function feedbackAtFreeze(wanted: string, { request, feedback = [], replanned = [] }: Wished): string {
  const whole = wishes({ request, feedback, replanned });
  const until = (list: readonly string[]) => [...list.keys(), list.length];
  const digests = until(replanned).flatMap((anew) =>
    until(feedback).map((count) =>
      wishes({ request, feedback: feedback.slice(0, count), replanned: replanned.slice(0, anew) }),
    ),
  );
  return digests.find((digest) => digest === wanted) ?? whole;
}

type Wished = Pick<TaskRecord, "request" | "feedback" | "replanned">;

function plans(root: string, { task, plans: answers }: Recorded): Finding[] {
  const { envelope, planApproval } = task;
  if (!envelope) return [];
  const read = answers.map((each) => readPlan(each, root)).findLast((each) => "plan" in each);
  const drawn = read && "plan" in read ? digestOf(inWorkingForm(read.plan, task.rehearsal)) : "none";
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
