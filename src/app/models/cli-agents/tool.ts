// The call by which another agent's program does a turn. No model is told of it: model/cli-agents answers prompts with it.
import { fields, optional, text } from "../../../tools/input.ts";
import { type AnyTool, defineTool } from "../../../tools/tool.ts";
import { type AgentInput, type AgentWork, actionOf } from "./action.ts";

export const agentTool = (work: AgentWork): AnyTool =>
  defineTool<AgentInput>({
    name: "cli_agent",
    prompt: "",
    input: fields({
      agent: text(""),
      prompt: text(""),
      opening: text(""),
      model: optional(text("")),
      effort: optional(text("")),
    }),
    parse: (input) => actionOf(work, input),
    run: async (input, grant, report) => (await import("./run.ts")).runAgent(work, { input, grant, report }),
  });
