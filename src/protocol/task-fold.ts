// How a task comes about from its transitions; apart from the schemas, as every start opens the store that folds.
import type { TaskRecord, Transition } from "./task.ts";

export const foldTask = (task: TaskRecord, { to, patch }: Pick<Transition, "to" | "patch">): TaskRecord => ({
  ...task,
  ...patch,
  state: to,
});
