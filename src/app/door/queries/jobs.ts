// Background jobs of the session that runs here.
import { Fault } from "../../../base/fault.ts";
import { Exit } from "../../../protocol/exit.ts";
import type { Answer } from "../../../protocol/query.ts";
import type { QueryContext } from "./context.ts";

export async function listJobs({ running }: QueryContext): Promise<Answer<"session.jobs">> {
  const jobs = (await running())?.jobs.list() ?? [];
  return jobs.map(({ id, command, state, startedAt, code }) => ({
    ...{ id, command, state, startedAt },
    ...(code !== undefined && { code }),
  }));
}

/** Rejects with a Fault where there is none of that name. */
export async function jobOutput({ running }: QueryContext, job: string): Promise<{ output: string }> {
  const jobs = (await running())?.jobs;
  if (jobs?.list().some(({ id }) => id === job)) return { output: jobs.peek(job).output };
  throw unknownJob(job);
}

export const unknownJob = (job: string): Fault =>
  new Fault("job.unknown", Exit.usage, `There is no background job ${job} in this session.`, "See /jobs.");
