// Claude Code's `--print --output-format stream-json --verbose`.
import type { Json, Usage } from "../../protocol/message.ts";
import { type AgentEvent, countOf, type Fields, fieldsOf, listOf, type ReadLine, subjectOf, textOf } from "./events.ts";

export const readClaude: ReadLine = (line) => {
  switch (line["type"]) {
    case "system":
      return line["subtype"] === "init" && textOf(line["session_id"]) !== ""
        ? [{ type: "session", id: textOf(line["session_id"]) }]
        : [];
    case "assistant":
      return assistant(fieldsOf(line["message"]), line["parent_tool_use_id"]);
    case "user":
      return listOf(fieldsOf(line["message"])["content"])
        .filter((block) => block["type"] === "tool_result")
        .map((block) => ({
          type: "acted.ended",
          id: textOf(block["tool_use_id"]),
          ok: block["is_error"] !== true,
        }));
    case "result":
      return [ended(line)];
    default:
      return [];
  }
};

/** What a subagent of its own says is not its answer. */
function assistant(message: Fields, parent: Json | undefined): AgentEvent[] {
  const found: AgentEvent[] = listOf(message["content"]).flatMap((block): AgentEvent[] => {
    if (block["type"] === "tool_use")
      return [
        {
          type: "acted",
          id: textOf(block["id"]),
          tool: textOf(block["name"]) || "tool",
          text: subjectOf(block["input"]),
        },
      ];
    const text = block["type"] === "text" && typeof parent !== "string" ? textOf(block["text"]) : "";
    return text === "" ? [] : [{ type: "said", text, whole: true }];
  });
  const [id, model] = [textOf(message["id"]), textOf(message["model"])];
  const usage = usageOf(fieldsOf(message["usage"]));
  return id === "" || usage.input === 0 ? found : [...found, { type: "spending", id, model, usage }];
}

function ended(line: Fields): AgentEvent {
  const usage = usageOf(fieldsOf(line["usage"]));
  const cost = line["total_cost_usd"];
  const answer = textOf(line["result"]);
  const failed = line["is_error"] === true || (line["subtype"] !== undefined && line["subtype"] !== "success");
  const errors = (Array.isArray(line["errors"]) ? line["errors"] : []).map(textOf).filter(Boolean);
  const why = answer || errors.join(" ") || textOf(line["subtype"]).replaceAll("_", " ") || "it failed";
  return {
    type: "ended",
    ...(failed ? { problem: why } : { answer }),
    ...(usage.input + usage.output > 0 && { usage }),
    ...(typeof cost === "number" && Number.isFinite(cost) && cost >= 0 && { cost }),
  };
}

/** Its `input_tokens` leave out what the cache held. */
function usageOf(usage: Fields): Usage {
  const cacheRead = countOf(usage["cache_read_input_tokens"]);
  const cacheWrite = countOf(usage["cache_creation_input_tokens"]);
  const input = countOf(usage["input_tokens"]) + cacheRead + cacheWrite;
  return { input, output: countOf(usage["output_tokens"]), cacheRead, cacheWrite, reasoning: 0 };
}
