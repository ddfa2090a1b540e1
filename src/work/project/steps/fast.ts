// A change too small for a plan of its own: one governed task, and a line in STATE.md.
import { Fault } from "../../../base/fault.ts";
import { Exit, exitOfTask } from "../../../protocol/exit.ts";
import type { ProjectStep } from "./step.ts";

export const fast: ProjectStep = {
  name: "fast",
  async run(work, { words, options }) {
    const text = words.join(" ").trim();
    if (text === "")
      throw new Fault("project.fast", Exit.usage, "Nothing is said to do.", 'Say it: fettle project fast "fix …"');
    const outcome = options["merge"] === false ? "leave" : "merge";
    const { task, paused } = await work.task({ name: "fast", request: { text, strict: false, outcome } });
    const data = { task: task.id, state: task.state, ...(task.outcome && { outcome: { ...task.outcome } }) };
    if (paused !== undefined) return { text: paused, exit: Exit.unanswered, data };
    const exit = exitOfTask(task);
    if (exit === Exit.done && task.outcome?.kind !== "answered")
      await work.write(async () => ({ steps: [], activity: `fast: ${text.split("\n")[0] ?? ""}` }));
    return { text: task.outcome?.text ?? "", exit, data };
  },
};
