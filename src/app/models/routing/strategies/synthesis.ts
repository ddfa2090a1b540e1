// Several arms draft, the best one writes the answer from that, another one criticises it, and the writer goes over it once more.
import type { ArmChoice, Prepared } from "../../../../engine/arm-choice.ts";
import { spoken } from "../../../../model/router/decide.ts";
import { authorsOf, judgeOf } from "../../../../model/router/parts.ts";
import { asData } from "../choice/crew.ts";
import { draftsOf } from "./drafts.ts";
import { problemNote, problemsText, reviewed } from "./review.ts";
import { announced, listed, type Stage } from "./stage.ts";

export async function synthesis(stage: Stage): Promise<ArmChoice | undefined> {
  const { course } = stage;
  const { decision, work } = course.plan;
  const writer = judgeOf(decision.candidates, []) ?? "";
  const authors = authorsOf(decision.candidates, decision.chosen ?? writer);
  const critic = judgeOf(decision.candidates, [writer]) ?? writer;
  const what = `${spoken(work.type)}: ${listed(authors)} draft, ${writer} writes the answer, ${critic} criticises it`;
  course.said = { arm: writer, text: announced("synthesis", what, decision) };
  const choice = await stage.usable(writer);
  if (!choice) return undefined;
  return {
    ...choice,
    prepare: (signal) => draftNote(stage, authors, signal),
    review: (answer, signal) => criticised(stage, { critic, choice, answer, signal }),
  };
}

async function draftNote(stage: Stage, authors: readonly string[], signal: AbortSignal): Promise<Prepared | undefined> {
  const drafts = await draftsOf(stage, authors, signal);
  if (drafts.length === 0) return undefined;
  const shown = await Promise.all(drafts.map(({ text }, at) => asData(text, `draft ${at + 1}`)));
  const how =
    "Others have drafted answers to this. They do not know of each other and may be wrong. Take what is right in each, settle in the files where they differ, and give one answer of your own; do not speak of the drafts.";
  return { note: [how, ...shown].join("\n\n") };
}

interface Round {
  critic: string;
  choice: ArmChoice;
  answer: string;
  signal: AbortSignal;
}

async function criticised(
  stage: Stage,
  { critic, choice, answer, signal }: Round,
): ReturnType<NonNullable<ArmChoice["review"]>> {
  const opinion = await reviewed(stage, { reviewer: critic, answer, signal });
  if (signal.aborted) return undefined;
  const { name } = choice.arm;
  if ("none" in opinion) stage.tell(`${critic} could not criticise the answer of ${name}: ${opinion.none}`, "warning");
  else if ("accept" in opinion) stage.tell(`${critic} has nothing against the answer of ${name}.`);
  if (!("problems" in opinion)) return undefined;
  stage.tell(`${name} goes over its answer once more: ${problemsText(opinion.problems)}`);
  return { note: await problemNote(opinion.problems, opinion), next: choice };
}
