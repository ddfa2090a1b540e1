// A task that is tried again after it failed: the same that was signed, and told why the attempt before failed.
import type { TaskRecord, TaskRequest } from "../../../protocol/task.ts";

/** Without what is only told. */
export const signedPart = ({ before: _before, ...request }: TaskRequest): TaskRequest => request;

/** What whoever works anew is told of the attempt before. */
export const beforeLines = ({ request: { before } }: Pick<TaskRecord, "request">): string[] =>
  before === undefined
    ? []
    : [
        `An earlier attempt at this plan failed, and nothing of it was kept. It ended so:\n${before}\nFind out what it ran into, and do that otherwise.`,
      ];
