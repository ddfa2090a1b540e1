// The background programs of a session, as one call may read or end them.
import type { Jobs } from "../../io/process/jobs.ts";
import type { Action } from "../../protocol/action.ts";
import { GrantError, type GrantedJobs, refuseStopped } from "../contract/grant.ts";

interface Judged {
  world: { jobs: Jobs };
  action: Action;
  signal: AbortSignal;
}

export function grantedJobs({ world, action, signal }: Judged): GrantedJobs {
  const allowed = (job: string, op: "read" | "kill") => {
    refuseStopped(signal);
    if (action.kind !== "job" || action.job !== job || action.op !== op)
      throw new GrantError(`This call may not ${op} the job ${job}.`);
  };
  return {
    async read(job) {
      allowed(job, "read");
      const { job: state, output, more } = world.jobs.read(job);
      return { ...state, output, more };
    },
    async kill(job) {
      allowed(job, "kill");
      return world.jobs.kill(job);
    },
  };
}
