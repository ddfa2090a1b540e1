// Gemini CLI's `--output-format stream-json`.
import { countOf, fieldsOf, type ReadLine, subjectOf, textOf } from "./events.ts";

export const readGemini: ReadLine = (line) => {
  switch (line["type"]) {
    case "init":
      return textOf(line["session_id"]) === "" ? [] : [{ type: "session", id: textOf(line["session_id"]) }];
    case "message": {
      const text = line["role"] === "assistant" ? textOf(line["content"]) : "";
      return text === "" ? [] : [{ type: "said", text, whole: line["delta"] !== true }];
    }
    case "tool_use":
      return [
        {
          type: "acted",
          id: textOf(line["tool_id"]),
          tool: textOf(line["tool_name"]) || "tool",
          text: subjectOf(line["parameters"]),
          length: JSON.stringify(line["parameters"] ?? "").length,
        },
      ];
    case "tool_result":
      return [{ type: "acted.ended", id: textOf(line["tool_id"]), ok: line["status"] === "success" }];
    case "result": {
      const stats = fieldsOf(line["stats"]);
      const input = countOf(stats["input_tokens"]);
      const output = countOf(stats["output_tokens"]);
      const usage = { input, output, cacheRead: countOf(stats["cached"]), cacheWrite: 0, reasoning: 0 };
      const why = textOf(fieldsOf(line["error"])["message"]) || "it failed";
      return [{ type: "ended", usage, ...(line["status"] !== "success" && { problem: why }) }];
    }
    default:
      return [];
  }
};
