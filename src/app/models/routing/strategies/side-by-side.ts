// Several arms do work that changes files, each in a copy; the result of one comes into the workspace: by evidence where
// there is any, else judged without names.
import { Fault } from "../../../../base/fault.ts";
import type { ArmChoice, Prepared } from "../../../../engine/arm-choice.ts";
import { spoken } from "../../../../model/router/decide.ts";
import { standing } from "../../../../model/router/field.ts";
import { type Attempt, attemptsOf } from "./attempts.ts";
import { votedBest } from "./ballot.ts";
import { asData, cut } from "../choice/crew.ts";
import { announced, fileNames, listed, type Stage } from "./stage.ts";
import { type Hindrance, takeOver } from "./taking.ts";

export async function sideBySide(stage: Stage, authors: readonly string[]): Promise<ArmChoice | undefined> {
  const { course } = stage;
  const [first = ""] = authors;
  const what = `${spoken(course.plan.work.type)}: ${listed(authors)} do it side by side, each in a copy of the workspace`;
  course.said = { arm: first, text: announced("ensemble", what, course.plan.decision) };
  const choice = await stage.usable(first);
  return choice && { ...choice, prepare: (signal) => best(stage, { authors, own: choice.arm.name, signal }) };
}

interface Field {
  authors: readonly string[];
  /** Who does it alone where nothing is taken over. */
  own: string;
  signal: AbortSignal;
}

async function best(stage: Stage, field: Field): Promise<Prepared | undefined> {
  const { staff, course } = stage;
  const { own, authors, signal } = field;
  const alone = (why: string) => stage.tell(`${why} ${own} does it alone.`, "warning");
  await staff.checkpoints().ensure(course.turn);
  const tried = await attempted(stage, authors, signal);
  if (signal.aborted) return undefined;
  if ("none" in tried) {
    alone(tried.none);
    return undefined;
  }
  const { attempts, base } = tried;
  const taken = await winnerOf(stage, attempts, signal);
  if (signal.aborted) return undefined;
  tellOthers(stage, attempts, taken?.attempt);
  if (!taken) {
    judge(stage, attempts);
    alone("What they have made does not pass, so none of it is taken over.");
    return { note: await noteOf(failedText, attempts.map(failureText)) };
  }
  return over(stage, { ...taken, attempts, base, own, alone }, signal);
}

async function attempted(
  stage: Stage,
  authors: readonly string[],
  signal: AbortSignal,
): Promise<{ attempts: Attempt[]; base: string } | { none: string }> {
  try {
    const copies = await stage.staff.copies();
    const base = await copies.tree();
    const attempts = await attemptsOf(stage, { copies, base, authors, signal });
    return attempts.length === 0 ? { none: "None of them has a result." } : { attempts, base };
  } catch (error) {
    if (!(error instanceof Fault) && !(error instanceof Error && "code" in error)) throw error;
    return { none: `The workspace could not be copied (${error.message}).` };
  }
}

function judge(stage: Stage, attempts: readonly Attempt[]): void {
  for (const { arm, evidence } of attempts)
    if (evidence && !evidence.doubtful) stage.judged(arm, evidence.passed ? "passed" : "failing");
}

interface Winner {
  attempt: Attempt;
  why: string;
}

async function winnerOf(stage: Stage, attempts: readonly Attempt[], signal: AbortSignal): Promise<Winner | undefined> {
  const entries = attempts.map((each) => ({
    outcome: outcomeOf(each),
    ...(each.evidence && !each.evidence.doubtful && { passed: each.evidence.passed }),
  }));
  const found = standing(entries);
  if ("none" in found) return undefined;
  if ("taken" in found) {
    const attempt = attempts[found.taken];
    return attempt && { attempt, why: whyTaken(attempt, attempts) };
  }
  const shown = found.among
    .flatMap((at) => attempts[at] ?? [])
    .map((each) => ({
      ...each,
      text: shownText(each),
      ...(each.evidence && { known: each.evidence.text }),
    }));
  const wrote = attempts.map(({ arm }) => arm);
  const vote = await votedBest(stage, shown, { noun: "result", how, wrote }, signal);
  const attempt = attempts.find(({ arm }) => arm === vote?.won.arm);
  return vote && attempt && { attempt, why: vote.why };
}

const how =
  "Several agents have done the same work, each in a copy of this folder, which is still as it was before. Say whose result is best: right above all, then complete, then with the smallest change. Judge by what was changed, not by what is claimed; read in the files what it touches.";

/** Where nothing was changed the answer is all that there is. */
const outcomeOf = ({ tree, diff, answer }: Attempt): string => (diff.files.length === 0 ? `answer: ${answer}` : tree);

function whyTaken(taken: Attempt, all: readonly Attempt[]): string {
  const { evidence } = taken;
  const equal = all.filter((each) => outcomeOf(each) === outcomeOf(taken)).length;
  const known = evidence ? `, and ${evidence.text}.` : ".";
  if (all.length === 1) return `it is the only one${known}`;
  if (equal > 1) return `${equal} of ${all.length} came to exactly that${known}`;
  const only = `of ${all.length}, it is the only one`;
  if (evidence && !evidence.doubtful) return `${only} of which it is known that ${evidence.text}.`;
  return `${only} of which no test says that it is wrong${known}`;
}

const patchText = ({ diff }: Attempt): string =>
  diff.files.map(({ path, change, patch }) => `${change} ${path}\n${patch}`).join("\n") || "It has changed no file.";

const shownText = (attempt: Attempt): string =>
  [`What was changed:\n${cut(patchText(attempt), 16_000)}`, `The answer:\n${cut(attempt.answer, 6_000)}`].join("\n\n");

const failedText =
  "Others have tried this in copies of the workspace, which are gone; the files here are as they were. None of it passed. Take from what came of it what helps, and do not speak of it.";

const failureText = ({ evidence, ...attempt }: Attempt): string =>
  `${evidence?.text ?? ""}:\n${evidence?.output ?? ""}\n\n${cut(patchText({ ...attempt, evidence }), 8_000)}`;

async function noteOf(text: string, shown: readonly string[]): Promise<string> {
  return [text, ...(await Promise.all(shown.map((each, at) => asData(each, `attempt ${at + 1}`))))].join("\n\n");
}

interface Over extends Winner {
  attempts: readonly Attempt[];
  base: string;
  own: string;
  alone(why: string): void;
}

async function over(
  stage: Stage,
  { attempt, why, attempts, base, own, alone }: Over,
  signal: AbortSignal,
): Promise<Prepared | undefined> {
  const { arm, answer, tree } = attempt;
  stage.tell(`The work of ${arm} is taken (${sizeText(attempt)}): ${why}`);
  const taking = await takeOver(stage, { base, tree }, signal).catch(faultText);
  if (signal.aborted) return undefined;
  if (taking !== "taken" && !("refused" in taking)) {
    judge(stage, attempts);
    const { told, noted } = hindranceTexts(taking);
    alone(`Not taken over, as ${told}.`);
    return { note: await noteOf(hinderedText(noted), [shownText(attempt)]) };
  }
  if (arm !== own) stage.handOver(arm);
  judge(stage, attempts);
  if (taking === "taken") return { answer, model: arm };
  stage.tell(`The files are as they were: ${taking.refused}`, "warning");
  return { answer: `Nothing of this was put into the files. ${taking.refused}\n\n${answer}`, model: arm };
}

/** What git could not do is no reason to lose the answer. */
function faultText(error: unknown): { refused: string } {
  if (error instanceof Fault) return { refused: error.message };
  throw error;
}

/** For the person, and for who does it alone. */
function hindranceTexts(hindrance: Hindrance): { told: string; noted: string } {
  if ("changed" in hindrance) {
    const noted = "files that it changes were changed here meanwhile";
    return { told: `these files were changed meanwhile: ${fileNames(hindrance.changed)}`, noted };
  }
  const files = fileNames(hindrance.covered);
  const told = `it would write over files that no checkpoint holds: ${files}`;
  return { told, noted: `there are files here already that it could not see and would write over (${files})` };
}

const hinderedText = (why: string): string =>
  `Another one has done this in a copy of the workspace, but ${why}, so nothing was taken over. Do it yourself on the files as they are now: read each before you change it, and keep what others did. What came of it there:`;

function tellOthers(stage: Stage, attempts: readonly Attempt[], won: Attempt | undefined): void {
  for (const attempt of attempts) {
    if (attempt === won) continue;
    const { arm, evidence, row } = attempt;
    const known = evidence ? `, ${evidence.text}` : "";
    stage.tell(`Not taken: ${arm}, ${sizeText(attempt)}, ${costText(row.cost)}${known} (session ${row.session}).`);
  }
}

function sizeText({ diff: { files } }: Attempt): string {
  if (files.length === 0) return "no file changed";
  const sum = (of: "added" | "removed") => files.reduce((all, file) => all + file[of], 0);
  return `${files.length} ${files.length === 1 ? "file" : "files"}, +${sum("added")} −${sum("removed")}`;
}

const costText = (cost: number | null): string => (cost === null ? "cost unknown" : `${(cost / 1e6).toFixed(4)} USD`);
