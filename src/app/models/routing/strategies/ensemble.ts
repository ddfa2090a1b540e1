// Several arms answer side by side; one answer is taken as it is: by evidence where there is any, else judged without names.
import type { ArmChoice, Prepared } from "../../../../engine/arm-choice.ts";
import { spoken } from "../../../../model/router/decide.ts";
import { authorsOf } from "../../../../model/router/parts.ts";
import { editing } from "../../../../model/router/task-types.ts";
import { votedBest } from "./ballot.ts";
import { type Draft, draftsOf } from "./drafts.ts";
import { announced, listed, type Stage } from "./stage.ts";

export async function ensemble(stage: Stage): Promise<ArmChoice | undefined> {
  const { course } = stage;
  const { decision, work } = course.plan;
  const first = decision.chosen ?? "";
  const authors = authorsOf(decision.candidates, first);
  if (editing.includes(work.type)) return (await import("./side-by-side.ts")).sideBySide(stage, authors);
  const what = `${spoken(work.type)}: ${listed(authors)} answer side by side`;
  course.said = { arm: first, text: announced("ensemble", what, decision) };
  const choice = await stage.usable(first);
  return choice && { ...choice, prepare: (signal) => best(stage, { authors, own: choice.arm.name, signal }) };
}

interface Field {
  authors: readonly string[];
  /** Who is asked where none of them has an answer. */
  own: string;
  signal: AbortSignal;
}

async function best(stage: Stage, { authors, own, signal }: Field): Promise<Prepared | undefined> {
  const drafts = await draftsOf(stage, authors, signal);
  const taken = await winnerOf(stage, drafts, signal);
  if (!taken || signal.aborted) return undefined;
  stage.tell(`The answer of ${taken.draft.arm} is taken: ${taken.why}`);
  if (taken.draft.arm !== own) stage.handOver(taken.draft.arm);
  for (const { arm, passed } of taken.evidence) stage.judged(arm, passed ? "passed" : "failing");
  return { answer: taken.draft.text, model: taken.draft.arm };
}

interface Shown {
  arm: string;
  passed: boolean;
}

interface Winner {
  draft: Draft;
  why: string;
  evidence: readonly Shown[];
}

async function winnerOf(stage: Stage, drafts: readonly Draft[], signal: AbortSignal): Promise<Winner | undefined> {
  const [first, ...others] = drafts;
  if (!first || signal.aborted) return undefined;
  if (others.length === 0) return { draft: first, why: "it is the only one.", evidence: [] };
  const evidence = await evidenceOf(stage, drafts, signal);
  const passing = drafts.filter(({ arm }) => evidence.some((each) => each.arm === arm && each.passed));
  const [only, ...more] = passing;
  if (only && more.length === 0) {
    const why = `of ${drafts.length}, it is the only one that passes router.check.`;
    return { draft: only, why, evidence };
  }
  const taken = await judged(stage, only ? passing : drafts, signal);
  return taken && { ...taken, evidence };
}

/** One after the other: they may use the same files. */
async function evidenceOf({ staff }: Stage, drafts: readonly Draft[], signal: AbortSignal): Promise<Shown[]> {
  const shown: Shown[] = [];
  for (const { arm, text } of drafts) {
    if (signal.aborted) return [];
    const passed = await staff.check(text, signal);
    if (passed !== undefined) shown.push({ arm, passed });
  }
  return shown;
}

const how =
  "Several agents have answered the same request. Say which answer is best: right above all, then complete, then short. Check in the files what they claim where they differ.";

async function judged(
  stage: Stage,
  drafts: readonly Draft[],
  signal: AbortSignal,
): Promise<Omit<Winner, "evidence"> | undefined> {
  const vote = await votedBest(stage, drafts, { noun: "answer", how }, signal);
  return vote && { draft: vote.won, why: vote.why };
}
