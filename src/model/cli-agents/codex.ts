// Codex's `exec --json`.
import { type AgentEvent, countOf, type Fields, fieldsOf, listOf, type ReadLine, subjectOf, textOf } from "./events.ts";

export const readCodex: ReadLine = (line) => {
  switch (line["type"]) {
    case "thread.started":
      return textOf(line["thread_id"]) === "" ? [] : [{ type: "session", id: textOf(line["thread_id"]) }];
    case "item.started":
      return begun(fieldsOf(line["item"]));
    case "item.completed":
      return completed(fieldsOf(line["item"]));
    case "turn.completed":
      return [{ type: "ended", usage: usageOf(fieldsOf(line["usage"])) }];
    case "turn.failed":
      return [{ type: "ended", problem: textOf(fieldsOf(line["error"])["message"]) || "its turn failed" }];
    default:
      return [];
  }
};

const tools: Readonly<Record<string, (item: Fields) => { tool: string; text: string }>> = {
  command_execution: (item) => ({ tool: "shell", text: subjectOf({ command: textOf(item["command"]) }) }),
  file_change: (item) => ({
    tool: "edit",
    text: subjectOf({
      path: listOf(item["changes"])
        .map((change) => textOf(change["path"]))
        .join(", "),
    }),
  }),
  mcp_tool_call: (item) => ({ tool: `${textOf(item["server"])}.${textOf(item["tool"])}`, text: "" }),
  web_search: (item) => ({ tool: "web search", text: subjectOf({ query: textOf(item["query"]) }) }),
};

const toolOf = (item: Fields) => {
  const type = textOf(item["type"]);
  return Object.hasOwn(tools, type) ? tools[type]?.(item) : undefined;
};

function begun(item: Fields): AgentEvent[] {
  const used = toolOf(item);
  return used ? [{ type: "acted", id: textOf(item["id"]), ...used }] : [];
}

/** Some items have no beginning of their own: whoever listens takes one that is told twice for one. */
function completed(item: Fields): AgentEvent[] {
  if (item["type"] === "agent_message") {
    const text = textOf(item["text"]);
    return text === "" ? [] : [{ type: "said", text, whole: true }];
  }
  const acted = begun(item);
  return acted.length === 0
    ? []
    : [...acted, { type: "acted.ended", id: textOf(item["id"]), ok: item["status"] !== "failed", ...shown(item) }];
}

const shown = ({ aggregated_output: output }: Fields) => (typeof output === "string" ? { length: output.length } : {});

const usageOf = (usage: Fields) => ({
  input: countOf(usage["input_tokens"]),
  output: countOf(usage["output_tokens"]),
  cacheRead: countOf(usage["cached_input_tokens"]),
  cacheWrite: countOf(usage["cache_write_input_tokens"]),
  reasoning: countOf(usage["reasoning_output_tokens"]),
});
