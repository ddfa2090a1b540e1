// A cheap arm does the turn, the best one looks at it, and goes on itself where it is not good enough. Once at most.
import type { ArmChoice } from "../../../../engine/arm-choice.ts";
import { spoken } from "../../../../model/router/decide.ts";
import { type Pair, pairOf } from "../../../../model/router/parts.ts";
import { problemNote, problemsText, reviewed } from "./review.ts";
import { announced, type Stage } from "./stage.ts";

export async function cascade(stage: Stage): Promise<ArmChoice | undefined> {
  const { course } = stage;
  const { decision, work } = course.plan;
  const pair = pairOf(decision.candidates);
  if (!pair) return undefined;
  const what = `${spoken(work.type)}: ${pair.cheap} answers, ${pair.strong} reviews it`;
  course.said = { arm: pair.cheap, text: announced("cascade", what, decision) };
  const choice = await stage.usable(pair.cheap);
  if (choice?.arm.name !== pair.cheap) return choice;
  return { ...choice, review: (answer, signal) => judged(stage, pair, { answer, signal }) };
}

async function judged(
  stage: Stage,
  { cheap, strong }: Pair,
  { answer, signal }: { answer: string; signal: AbortSignal },
): ReturnType<NonNullable<ArmChoice["review"]>> {
  const opinion = await reviewed(stage, { reviewer: strong, answer, signal });
  if (signal.aborted) return undefined;
  if ("none" in opinion) stage.tell(`${strong} could not review the answer of ${cheap}: ${opinion.none}`, "warning");
  else if ("accept" in opinion) stage.tell(`${strong} accepts the answer of ${cheap}.`);
  if (!("problems" in opinion)) return undefined;
  const next = await stage.usable(strong);
  if (!next || next.arm.name === cheap) return undefined;
  stage.tell(`${next.arm.name} goes on from the answer of ${cheap}: ${problemsText(opinion.problems)}`, "warning");
  stage.handOver(next.arm.name, opinion.by === "tests" ? "failing" : "escalated");
  return { note: await problemNote(opinion.problems, opinion), next };
}
