// A second opinion on what a turn has done: tests that ran in it first, then another arm that can only read.
import { verdictIn, verdictSchema } from "../../../../model/router/verdict.ts";
import { asData, askedIn, changesIn, consult } from "../choice/crew.ts";
import { type Evidence, evidenceIn } from "../evidence/evidence.ts";
import type { Stage } from "./stage.ts";

/** `by`: tests say it, or the reviewer. */
type Opinion = { accept: true } | { problems: string[]; by: "tests" | "reviewer" } | { none: string };

interface Reviewed {
  reviewer: string;
  answer: string;
  signal: AbortSignal;
}

export async function reviewed({ course, staff }: Stage, { reviewer, answer, signal }: Reviewed): Promise<Opinion> {
  const { turn, ask } = course;
  const evidence = evidenceIn(staff.facts(), turn);
  if (evidence && !evidence.passed) return { problems: [failing(evidence)], by: "tests" };
  const asked = await askedIn(ask.session, turn);
  const task = await taskOf({ asked, answer, changes: await changesIn(staff, turn), evidence });
  const assigned = { model: reviewer, schema: verdictSchema };
  const said = await consult({ staff, turn, signal }, { definition: "reviewer", task, assigned });
  if ("failed" in said) return { none: said.failed };
  const verdict = verdictIn(said.text);
  if (!verdict) return { none: "it gave no verdict" };
  return verdict.accept ? { accept: true } : { problems: verdict.problems, by: "reviewer" };
}

const failing = ({ text, output }: Evidence): string => `${text}:\n${output}`;

interface Work {
  asked: string;
  answer: string;
  changes: string;
  evidence: Evidence | undefined;
}

async function taskOf({ asked, answer, changes, evidence }: Work): Promise<string> {
  const shown = [await asData(asked, "what was asked for"), await asData(answer, "its answer")];
  const change = changes === "" ? "It has changed no file." : await asData(changes, "what it has changed");
  return [
    "Another agent was asked for something and says that it is done. Judge whether it is right and complete.",
    ...shown,
    change,
    evidence ? `Known for sure: ${evidence.text}.` : "No tests ran after its last change.",
    "What it changed is in the files already; read as much as you need. Accept what does what was asked for, also where you would have done it otherwise. " +
      "Reject only for faults that matter: a wrong result, something asked for that is missing, a claim that is not true. " +
      "Give each as one sentence, with path:line where it has a place.",
  ].join("\n\n");
}

/** What whoever goes on with the work is told. */
export async function problemNote(problems: readonly string[], { by }: { by: "tests" | "reviewer" }): Promise<string> {
  const who = by === "tests" ? "The turn's own tests" : "A reviewer";
  const listed = await asData(problems.map((each) => `- ${each}`).join("\n"), "review of the answer above");
  return `${who} rejected the answer above. Look into each problem, mend what is really wrong, then give the whole final answer anew.\n\n${listed}`;
}

/** `2 problems, first: …` on one line. */
export function problemsText(problems: readonly string[]): string {
  const first = problems[0]?.split("\n", 1)[0] ?? "";
  const short = first.length > 160 ? `${first.slice(0, 159)}…` : first;
  return problems.length === 1 ? `1 problem: ${short}` : `${problems.length} problems, first: ${short}`;
}
