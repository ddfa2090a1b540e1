import type { TodoItem } from "../protocol/event.ts";
import { textResult } from "../protocol/outcome.ts";
import { choice, fields, list, text, withAliases } from "./input.ts";
import { defineTool } from "./tool.ts";
import prompt from "./todo.md";

const states = ["open", "doing", "done"] as const;
const synonyms = new Map<string, TodoItem["state"]>([
  ["pending", "open"],
  ["todo", "open"],
  ["not_started", "open"],
  ["in_progress", "doing"],
  ["in-progress", "doing"],
  ["active", "doing"],
  ["completed", "done"],
  ["complete", "done"],
]);

export const todo = defineTool({
  name: "todo",
  prompt,
  input: fields({
    items: list(
      fields({
        text: text("", ["content", "title", "task", "step"]),
        state: withAliases(choice(states, synonyms), ["status"]),
      }),
      ["todos", "plan", "steps", "tasks"],
    ),
  }),
  parse: () => ({ kind: "none" }),
  run({ items }, _grant, report) {
    report.todo(items);
    const counts = states.map((state) => `${items.filter((item) => item.state === state).length} ${state}`);
    return Promise.resolve(textResult(`Noted: ${counts.join(", ")}.`));
  },
});
