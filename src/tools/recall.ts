import { textResult } from "../protocol/outcome.ts";
import { fields, optional, text } from "./input.ts";
import { defineTool, ToolInputError } from "./tool.ts";
import prompt from "./recall.md";

export const recall = defineTool({
  name: "recall",
  prompt,
  input: fields({
    query: optional(text("", ["words", "text", "search"])),
    call: optional(text("", ["call_id", "id"])),
  }),
  parse({ query, call }) {
    if (!query?.trim() && !call?.trim()) throw new ToolInputError("say the words to find (query), or a call.");
    return { kind: "none" };
  },
  async run({ query, call }, _grant, report) {
    const named = call?.trim();
    return textResult(await report.recall(named ? { call: named } : { words: query ?? "" }));
  },
});
