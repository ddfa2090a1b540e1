import { plainOutput } from "../base/plain-output.ts";
import type { Job } from "../io/process/spec.ts";
import { notedParts, textResult } from "../protocol/outcome.ts";
import { orFailure } from "./failure.ts";
import { fields, flag, text } from "./input.ts";
import prompt from "./job.md";
import { defineTool } from "./tool.ts";

/** What `shell` does with `job`: taken from models that know it from elsewhere, and not described twice. */
export const job = defineTool({
  name: "job",
  prompt,
  input: fields({ job: text("", ["id", "job_id", "bash_id", "shell_id"]), kill: flag("", ["stop"]) }),
  parse: ({ job, kill }) => ({ kind: "job", job, op: kill ? "kill" : "read" }),
  run({ job: id, kill }, grant) {
    return orFailure(grant, async () => {
      if (kill) return textResult(stateText(await grant.jobs.kill(id)));
      const read = await grant.jobs.read(id);
      return { status: "done", parts: notedParts(plainOutput(read.output).trimEnd(), [stateText(read)]) };
    });
  },
});

function stateText({ id, state, code }: Job): string {
  if (state === "exited")
    return `[job ${id} has ended${code === undefined || code === null ? "" : ` with exit code ${code}`}]`;
  return state === "killed" ? `[job ${id} was ended]` : `[job ${id} is running]`;
}
