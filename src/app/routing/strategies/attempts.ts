// The same work by several arms at once, each in a copy of the workspace; none sees what another one does.
import type { AgentRow } from "../../../protocol/agent.ts";
import type { Diff } from "../../../protocol/result.ts";
import type { Copies, OpenCopy } from "../../copies.ts";
import { type Evidence, evidenceIn } from "../evidence.ts";
import { askedIn, consult } from "./crew.ts";
import type { Stage } from "./stage.ts";

export interface Attempt {
  arm: string;
  row: AgentRow;
  answer: string;
  /** The files that it left. */
  tree: string;
  diff: Diff;
  evidence: Evidence | undefined;
}

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

type Ended = Omit<Attempt, "evidence"> & { copy: OpenCopy };

async function attempted(
  stage: Stage,
  { copies, base, signal }: Field,
  { arm, copy }: Author,
): Promise<Ended | undefined> {
  const { course, staff } = stage;
  const { turn, ask } = course;
  const task = attemptTask(staff.workspace, await askedIn(ask.session, turn));
  const assigned = { model: arm, folder: copy.folder };
  const said = await consult({ staff, turn, signal }, { definition: "coder", task, assigned });
  if (signal.aborted) return undefined;
  if ("failed" in said) {
    stage.tell(`${arm} has no result: ${said.failed}`, "warning");
    return undefined;
  }
  const { tree, leftOut } = await copy.take();
  if (leftOut.length > 0) {
    const names = leftOut.slice(0, 5).map(({ path, why }) => `${path} (${why})`);
    stage.tell(`What ${arm} has made is not looked at where no checkpoint holds it: ${names.join(", ")}.`, "warning");
  }
  return { arm, copy, row: said.row, answer: said.text, tree, diff: await copies.diff(base, tree) };
}

/** One after the other: checks may use the same ports and the like. */
async function withEvidence({ staff }: Stage, ended: readonly Ended[], signal: AbortSignal): Promise<Attempt[]> {
  const all: Attempt[] = [];
  for (const { copy, ...each } of ended) {
    if (signal.aborted) return [];
    const checked = await staff.checkChanges(copy, signal);
    all.push({ ...each, evidence: checked ?? testedIn(staff.facts(each.row.session)) });
  }
  return all;
}

function testedIn(facts: Parameters<typeof evidenceIn>[0]): Evidence | undefined {
  const last = facts.findLast(({ type }) => type === "turn.started");
  return last?.type === "turn.started" ? evidenceIn(facts, last.turn) : undefined;
}
