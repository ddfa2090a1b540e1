// The auditor: what was asked for at the start, held against what was done. Whatever it cannot say counts as not kept.
import { z } from "zod";
import type { Json } from "../../protocol/message.ts";
import type { TaskRecord } from "../../protocol/task.ts";
import { jsonOf } from "./crew.ts";
import type { Work } from "./work.ts";

const Findings = z.object({
  constraints: z.array(z.object({ constraint: z.string(), kept: z.boolean(), why: z.string() })),
});

const trivialFiles = 2;

/** So little that the checks say all there is to say. */
export const trivial = ({ plan, request, feedback = [] }: TaskRecord): boolean =>
  (plan?.files.length ?? 0) <= trivialFiles && feedback.length === 0 && request.text.length < 400;

/** What of the request was not kept, as a sentence; undefined when all of it was. */
export async function auditWork(work: Work): Promise<string | undefined> {
  const { request, envelope, worktree, feedback = [], plan } = work.task;
  if (!envelope || !worktree) return "there is nothing to audit";
  const { files } = await work.repository.diff(envelope.base.commit, worktree.head);
  const end = await work.send({
    mission: "auditor",
    text: [
      "List every constraint of the request, and whether the change keeps it.",
      `The plan: ${plan?.summary ?? ""}`,
      ...feedback.map((text) => `Said later: ${text}`),
      `The change:\n${files.map(({ path, patch }) => `${path}\n${patch}`).join("\n")}`,
      `The request:${request.source === undefined ? `\n${request.text}` : ""}`,
    ].join("\n\n"),
    ...(request.source !== undefined && { data: { text: request.text, source: request.source } }),
    schema: z.toJSONSchema(Findings) as Json,
  });
  if (end.stop.kind !== "done") return `the audit did not end: ${end.stop.text}`;
  const read = Findings.safeParse(jsonOf(end.text));
  if (!read.success) return "the audit cannot be read";
  const broken = read.data.constraints.find(({ kept }) => !kept);
  return broken && `${broken.constraint}: ${broken.why}`;
}
