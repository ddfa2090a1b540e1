// Runs a step: in a terminal its parts are drawn and its questions asked; else it is told as lines, or as its events.
import type { StepArguments } from "../../../../protocol/project.ts";
import type { Context } from "../../host/context.ts";
import { streamStep } from "../../project/stream.ts";

interface Given {
  answer?: readonly string[];
}

export async function runStep(context: Context, step: string, args: StepArguments, given: Given = {}): Promise<number> {
  const { answer: answers } = given;
  const start = { type: "project.run" as const, step, args, ...(answers && { answers: [...answers] }) };
  if (!context.interactive || context.options.json) return streamStep(context, start);
  const { followStep } = await import("../../terminal/project-terminal.ts");
  return followStep(context, start);
}
