// Expected failures of the machine as results for the model; everything else stays an exception.
import type { Grant } from "../guard/contract/grant.ts";
import { failure } from "../protocol/outcome.ts";
import type { Result } from "../protocol/result.ts";
import { ToolProblem } from "./tool.ts";

/** Names of the errors by which io says, in a sentence, what the machine refused. */
const expected = ["FileProblem", "NetFailure", "UnknownJob", "AgentProblem", "McpFailure"];

/** `excerpt` is text of a file, not fettle's own words. */
export interface Problem {
  code: string;
  text: string;
  excerpt?: string | undefined;
}

/** What the machine refused in a known way; undefined for bugs and refusals of the gate. */
export function machineProblem(error: unknown, grant: Grant): Problem | undefined {
  if (error instanceof ToolProblem) return { code: error.code, text: error.message, excerpt: error.excerpt };
  if (!(error instanceof Error) || !expected.includes(error.name)) return undefined;
  const own = error.message.replaceAll(`${grant.workspace}/`, "");
  const text = grant.privateTmp === undefined ? own : own.replaceAll(grant.privateTmp, "/tmp");
  return { code: `machine.${codeOf(error) ?? "failed"}`, text: codeOf(error) === "not-a-file" ? withHint(text) : text };
}

/** The first part is fettle's own; an excerpt follows as a part of its own, which the gate wraps as data. */
export function problemResult({ code, text, excerpt }: Problem): Result {
  const result: Result = failure(code, text);
  if (excerpt !== undefined && excerpt !== "") result.parts.push({ type: "text", text: excerpt });
  return result;
}

const withHint = (text: string) => (text.includes("is a folder") ? `${text} Use glob to see what is in it.` : text);

function codeOf(error: Error): string | undefined {
  if ("code" in error && typeof error.code === "string") return error.code;
  return "kind" in error && typeof error.kind === "string" ? error.kind : undefined;
}

export const isMissing = (error: unknown): boolean =>
  error instanceof Error && error.name === "FileProblem" && codeOf(error) === "missing";

/** Runs `work`; what the machine refuses becomes a failed result. */
export async function orFailure(grant: Grant, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const problem = machineProblem(error, grant);
    if (!problem) throw error;
    return problemResult(problem);
  }
}
