// The same work by several arms at once, each in a copy of the workspace; none sees what another one does.
import path from "node:path";
import { Fault } from "../../../../base/fault.ts";
import { readBytes } from "../../../../io/files/bytes.ts";
import { FileProblem } from "../../../../io/files/problem.ts";
import type { AgentRow } from "../../../../protocol/agent.ts";
import type { LeftOut } from "../../../../protocol/event.ts";
import type { Diff } from "../../../../protocol/result.ts";
import type { Copies, OpenCopy } from "../../../session/copies/spec.ts";
import { decidesChecks } from "../../../../work/task/checks/definitions.ts";
import { type Evidence, evidenceIn } from "../evidence/evidence.ts";
import { askedIn, consult } from "../choice/crew.ts";
import { filesNamedBy } from "./named-files.ts";
import { fileNames, type Stage } from "./stage.ts";

export interface Attempt {
  arm: string;
  row: AgentRow;
  answer: string;
  /** The files that it left. */
  tree: string;
  diff: Diff;
  evidence: Known | undefined;
}

/** `doubtful`: it has changed what decides whether that passes, so that it did says nothing. */
export type Known = Evidence & { doubtful: boolean };

const attemptTask = (workspace: string, asked: string): string =>
  [
    "Do what is asked for below, in a copy of the workspace that is yours alone.",
    `A path below ${workspace}, which is the person's, means the same file of your copy. Change what has to be changed, and check it as far as you can. What you leave in the files is taken over as it is, or not at all; commits stay behind. Your last answer is shown to the person as it stands: write to them, and not of yourself or of copies.`,
    asked,
  ].join("\n\n");

interface Field {
  copies: Copies;
  /** What all begin with. */
  base: string;
  authors: readonly string[];
  signal: AbortSignal;
}

/**
 * Those that were brought to an end, with what is known of each; who failed is told. The copies are gone afterwards.
 * Rejects when one cannot be made.
 */
export async function attemptsOf(stage: Stage, field: Field): Promise<Attempt[]> {
  const { copies, base, authors, signal } = field;
  const opening = await Promise.allSettled(authors.map(async (arm) => ({ arm, copy: await copies.open(base) })));
  const opened = opening.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  try {
    const failed = opening.find((each) => each.status === "rejected");
    if (failed) throw failed.reason;
    const ended = await Promise.all(opened.map((each) => attempted(stage, field, each)));
    const done = ended.filter((each) => each !== undefined);
    return signal.aborted ? [] : await withEvidence(stage, done, signal);
  } finally {
    const removed = await Promise.all(opened.map(({ copy }) => copy.close()));
    for (const [at, { copy }] of opened.entries())
      if (removed[at] === false) stage.tell(`${copy.folder} could not be removed; delete it by hand.`, "warning");
  }
}

interface Author {
  arm: string;
  copy: OpenCopy;
}

/** `partial`: it has left something in its copy that cannot be taken over. */
type Ended = Omit<Attempt, "evidence"> & { copy: OpenCopy; partial: boolean };

async function attempted(stage: Stage, field: Field, { arm, copy }: Author): Promise<Ended | undefined> {
  const { course, staff } = stage;
  const { turn, ask } = course;
  const { signal } = field;
  const task = attemptTask(staff.workspace, await askedIn(ask.session, turn));
  const assigned = { model: arm, folder: copy.folder };
  const nothing = (why: string): undefined => {
    stage.tell(`${arm} has no result: ${why}`, "warning");
  };
  const said = await consult({ staff, turn, signal }, { definition: "coder", task, assigned });
  if (signal.aborted) return undefined;
  if ("failed" in said) return nothing(said.failed);
  const made = await madeIn(copy, field);
  if ("failed" in made) return nothing(made.failed);
  const { leftOut, ...rest } = made;
  if (leftOut.length > 0) {
    const names = fileNames(leftOut.map(({ path: name, why }) => `${name} (${why})`));
    stage.tell(`What ${arm} has made is not looked at where no checkpoint holds it: ${names}.`, "warning");
  }
  return { arm, copy, row: said.row, answer: said.text, partial: leftOut.length > 0, ...rest };
}

/** What one has done to its copy is no reason to lose what the others made. */
async function madeIn(copy: OpenCopy, { copies, base }: Field): Promise<AttemptChanges | { failed: string }> {
  try {
    const { tree, leftOut } = await copy.take();
    return { tree, leftOut, diff: await copies.diff(base, tree) };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { failed: error.message };
  }
}

interface AttemptChanges extends Pick<Attempt, "tree" | "diff"> {
  leftOut: readonly LeftOut[];
}

/** One after the other: checks may use the same ports and the like. */
async function withEvidence({ staff }: Stage, ended: readonly Ended[], signal: AbortSignal): Promise<Attempt[]> {
  const all: Attempt[] = [];
  for (const { copy, partial, ...each } of ended) {
    if (signal.aborted) return [];
    const checked = await staff.checkChanges(copy, signal);
    const found = checked ?? testedIn(staff.facts(each.row.session));
    all.push({ ...each, evidence: found && (await weighed(found, { diff: each.diff, partial, copy })) });
  }
  return all;
}

type Made = Pick<Ended, "diff" | "partial" | "copy">;

/** Whoever may rewrite the tests can always make them pass. */
async function weighed(found: Evidence, { diff, partial, copy }: Made): Promise<Known> {
  const named = await filesNamedBy(found.command, (name) => definition(path.join(copy.folder, name)));
  const deciding = diff.files.filter(({ path: name, from = name, change }) => {
    const existed = change !== "created";
    return [name, from].some((each) => (existed && named.has(each)) || decidesChecks(each, existed));
  });
  const doubts = [
    ...(deciding.length > 0
      ? [`what decides that was changed (${fileNames(deciding.map(({ path: name }) => name))})`]
      : []),
    ...(partial ? ["with files that cannot be taken over"] : []),
  ];
  if (!found.passed || doubts.length === 0) return { ...found, doubtful: false };
  return { ...found, doubtful: true, text: `${found.text}, but ${doubts.join(", and ")}` };
}

const longestDefinition = 256 * 1024;

/** As the copy has it now: whoever has changed it has changed what decides, whatever it says. */
async function definition(file: string): Promise<string | undefined> {
  try {
    return new TextDecoder().decode((await readBytes(file, { limit: longestDefinition })).bytes);
  } catch (error) {
    if (error instanceof FileProblem) return undefined;
    throw error;
  }
}

function testedIn(facts: Parameters<typeof evidenceIn>[0]): Evidence | undefined {
  const last = facts.findLast(({ type }) => type === "turn.started");
  return last?.type === "turn.started" ? evidenceIn(facts, last.turn) : undefined;
}
