// Messages to the provider packages' prompt. Pure, and the same bytes for the same messages.
import type { AssistantContent, Message, Part, ResultContent, VendorData } from "../../protocol/message.ts";
import type { ModelRequest } from "../../protocol/request.ts";
import { fittingId, replayArguments, textOf } from "../contract/content.ts";
import type { SdkAssistantPart, SdkMessage, SdkProviderOptions, SdkTool, SdkToolPart, SdkUserPart } from "./types.ts";

export interface PromptRules {
  vendor: string;
  /** Call ids that the vendor takes as they are. */
  callId: RegExp;
  /** Marks the ends of the stable prefix and of the last messages, for vendors that cache on request. */
  cacheMark?: SdkProviderOptions;
  /** Laid on every tool. */
  tool?: Partial<SdkTool>;
}

export function toPrompt(request: ModelRequest, rules: PromptRules): SdkMessage[] {
  const prompt: SdkMessage[] = [];
  if (request.system) prompt.push(marked({ role: "system", content: request.system }, rules));
  const { lasting = 0 } = request;
  for (const [at, message] of request.messages.entries()) {
    const converted = convert(message, rules);
    if (converted) prompt.push(at === lasting - 1 ? marked(converted, rules) : converted);
  }
  return rules.cacheMark ? markLast(prompt, rules) : prompt;
}

export function toTools(request: ModelRequest, rules: PromptRules): SdkTool[] {
  return request.tools.map((tool, index) => ({
    type: "function" as const,
    name: tool.name,
    description: tool.description,
    inputSchema: tool.schema,
    ...(rules.tool as object | undefined),
    // Four marks are allowed. With one for what lasts in front of the conversation, that of the system covers the tools.
    ...(rules.cacheMark && !request.lasting && index === request.tools.length - 1
      ? { providerOptions: rules.cacheMark }
      : {}),
  }));
}

const marked = (message: SdkMessage, rules: PromptRules): SdkMessage =>
  rules.cacheMark ? { ...message, providerOptions: rules.cacheMark } : message;

/** The last two messages of the person or of tools: the end of this request, and of the one before it. */
function markLast(prompt: SdkMessage[], rules: PromptRules): SdkMessage[] {
  let left = 2;
  for (let index = prompt.length - 1; index >= 0 && left > 0; index--) {
    const message = prompt[index];
    if (message?.role !== "user" && message?.role !== "tool") continue;
    prompt[index] = marked(message, rules);
    left -= 1;
  }
  return prompt;
}

function convert(message: Message, rules: PromptRules): SdkMessage | undefined {
  if (message.role === "user") return { role: "user", content: message.content.map(userPart) };
  if (message.role === "assistant") {
    const own = message.vendor === rules.vendor;
    const content = message.content.flatMap((block) => assistantPart(block, own, rules));
    return content.length > 0 ? { role: "assistant", content } : undefined;
  }
  return { role: "tool", content: message.content.map((result) => toolPart(result, rules)) };
}

const userPart = (part: Part): SdkUserPart =>
  part.type === "text"
    ? { type: "text", text: part.text }
    : { type: "file", mediaType: part.mime, data: { type: "data", data: part.data } };

function assistantPart(block: AssistantContent, own: boolean, rules: PromptRules): SdkAssistantPart[] {
  if (block.type === "reasoning") {
    return block.vendor === rules.vendor ? [{ type: "reasoning", text: block.text, ...options(block.vendorData) }] : [];
  }
  const vendor = own ? options(block.vendorData) : {};
  if (block.type === "text") {
    return block.text === "" && !("providerOptions" in vendor) ? [] : [{ type: "text", text: block.text, ...vendor }];
  }
  return [
    {
      type: "tool-call",
      toolCallId: fittingId(block.id, rules.callId),
      toolName: block.name,
      input: replayArguments(block),
      ...vendor,
    },
  ];
}

const options = (data: VendorData | undefined) => (data ? { providerOptions: data as SdkProviderOptions } : {});

function toolPart(result: ResultContent, rules: PromptRules): SdkToolPart {
  const base = {
    type: "tool-result" as const,
    toolCallId: fittingId(result.call, rules.callId),
    toolName: result.name,
  };
  if (!result.parts.some((part) => part.type === "image"))
    return { ...base, output: { type: result.failed ? "error-text" : "text", value: textOf(result.parts) } };
  return { ...base, output: { type: "content", value: result.parts.map(userPart) } };
}
