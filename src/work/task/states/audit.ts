// The auditor: what was asked for at the start, held against what was done. Whatever it cannot say counts as not kept.
import { z } from "zod";
import type { TaskRecord } from "../../../protocol/task.ts";
import { answerIn, readAnswer } from "../world/answers.ts";
import type { Work } from "../work/work.ts";

const Findings = z.object({
  /** None at all means that nothing was looked at. */
  constraints: z.array(z.object({ constraint: z.string(), kept: z.boolean(), why: z.string() })).min(1),
});

const trivialCodings = 2;

/**
 * So little that the checks say all there is to say: documents only, or one file besides its tests that the coder was
 * sent for twice at most. Not when anybody has said more than the request, which then has constraints of its own, nor
 * when the work had to be sent back.
 */
export function trivial({ plan, intent, feedback = [], said = [], sentBack = [], codings = 0 }: TaskRecord): boolean {
  if (feedback.length + said.length + sentBack.length > 0) return false;
  if (intent?.docsOnly) return true;
  const tests = new Set(plan?.test?.paths);
  const files = plan?.files.filter(({ path }) => !tests.has(path)) ?? [];
  return files.length <= 1 && codings <= trivialCodings;
}

/** What of the request was not kept, as a sentence; undefined when all of it was. */
export async function auditWork(work: Work): Promise<string | undefined> {
  const { request, envelope, worktree, feedback = [], said = [], plan, warnings = [] } = work.task;
  if (!envelope || !worktree) return "there is nothing to audit";
  const { files } = await work.repository.diff(envelope.base.commit, worktree.head);
  const end = await work.send({
    mission: "auditor",
    text: [
      "List every constraint of the request, and whether the change keeps it.",
      `The plan: ${plan?.summary ?? ""}`,
      ...feedback.map((text) => `Said of the plan or of a result: ${text}`),
      ...said.map((text) => `Said while it was worked on: ${text}`),
      `The change:\n${files.map(({ path, patch }) => `${path}\n${patch}`).join("\n")}`,
      ...(warnings.length > 0 ? [`Who only reads the tests finds this weak:\n${warnings.join("\n")}`] : []),
      `The request:${request.source === undefined ? `\n${request.text}` : ""}`,
    ].join("\n\n"),
    ...(request.source !== undefined && { data: { text: request.text, source: request.source } }),
    answer: Findings,
  });
  if (end.stop.kind !== "done") return `the audit did not end: ${end.stop.text}`;
  const found = readAnswer(Findings, answerIn(end.text));
  if ("problems" in found) return "the audit cannot be read";
  const broken = found.value.constraints.find(({ kept }) => !kept);
  return broken && `${broken.constraint}: ${broken.why}`;
}
