// The provider packages' stream to answer parts: blocks gathered in order, vendor data kept as it came.
import type {
  AssistantContent,
  Finish,
  ReasoningContent,
  TextContent,
  Usage,
  VendorData,
} from "../../protocol/message.ts";
import { noUsage } from "../../protocol/usage.ts";
import type { AnswerPart } from "../../protocol/request.ts";
import { normalFinish, parseArguments } from "../contract/content.ts";
import { toldTokens } from "../contract/told-tokens.ts";
import type { SdkPart } from "./types.ts";

type SdkBlockPart = Extract<
  SdkPart,
  { type: "text-start" | "text-delta" | "text-end" | "reasoning-start" | "reasoning-delta" | "reasoning-end" }
>;
type SdkFinish = Extract<SdkPart, { type: "finish" }>;

export class AnswerGatherer {
  readonly #vendor: string;
  readonly #content: AssistantContent[] = [];
  readonly #open = new Map<string, TextContent | ReasoningContent>();
  #finish: Finish | undefined;
  #usage: Usage = noUsage;

  constructor(vendor: string) {
    this.#vendor = vendor;
  }

  /** What the consumer may see at once. */
  take(part: SdkPart): AnswerPart | undefined {
    switch (part.type) {
      case "text-start":
      case "text-delta":
      case "text-end":
        return this.#extend("text", part);
      case "reasoning-start":
      case "reasoning-delta":
      case "reasoning-end":
        return this.#extend("reasoning", part);
      case "tool-input-delta":
        return { type: "call", bytes: Buffer.byteLength(part.delta) };
      case "tool-call":
        this.#content.push({
          type: "call",
          id: part.toolCallId,
          name: part.toolName,
          ...parseArguments(part.input),
          ...vendorData(part.providerMetadata),
        });
        return undefined;
      case "finish":
        this.#finish = finishOf(part);
        this.#usage = usageOf(part.usage);
        return undefined;
      default:
        return undefined;
    }
  }

  /** Why the answer ended; undefined while it has not. */
  get finish(): Finish | undefined {
    return this.#finish;
  }

  /** True once there is anything worth keeping. */
  get begun(): boolean {
    return this.#content.some(isWorthKeeping);
  }

  end(finish: Finish): Extract<AnswerPart, { type: "end" }> {
    const content = this.#content.filter(isWorthKeeping);
    const calls = content.filter((block) => block.type === "call").length;
    return { type: "end", content, finish: normalFinish(finish, calls), usage: this.#usage };
  }

  #extend(type: "text" | "reasoning", part: SdkBlockPart): AnswerPart | undefined {
    const key = `${type} ${part.id}`;
    let block = this.#open.get(key);
    if (!block) {
      block = type === "text" ? { type, text: "" } : { type, text: "", vendor: this.#vendor };
      this.#open.set(key, block);
      this.#content.push(block);
    }
    if (part.providerMetadata) block.vendorData = mergeVendorData(block.vendorData, part.providerMetadata);
    if (part.type.endsWith("-end")) this.#open.delete(key);
    if (!("delta" in part) || part.delta === "") return undefined;
    block.text += part.delta;
    return { type, text: part.delta };
  }
}

const isWorthKeeping = (block: AssistantContent): boolean =>
  block.type === "call" || block.text !== "" || block.vendorData !== undefined;

type Metadata = NonNullable<SdkBlockPart["providerMetadata"]>;

const mergeVendorData = (known: VendorData | undefined, more: Metadata): VendorData => {
  const merged: VendorData = { ...known };
  for (const [vendor, data] of Object.entries(more))
    merged[vendor] = { ...merged[vendor], ...(data as VendorData[string]) };
  return merged;
};
const vendorData = (metadata: Metadata | undefined) =>
  metadata ? { vendorData: mergeVendorData(undefined, metadata) } : {};

/** Undefined when the vendor gave no reason at all: the stream was cut, whatever the package makes of it. */
function finishOf(part: SdkFinish): Finish | undefined {
  const google = part.providerMetadata?.["google"]?.["promptFeedback"];
  if (google && typeof google === "object" && "blockReason" in google && google.blockReason) return "filter";
  switch (part.finishReason.unified) {
    case "length":
      return "length";
    case "content-filter":
      return "filter";
    case "tool-calls":
      return "calls";
    case "error":
      return part.finishReason.raw === undefined ? undefined : "error";
    case "stop":
      return "stop";
    default:
      if (part.finishReason.raw === undefined) return undefined;
      // Servers of many makes invent stop reasons ("eos", "end_turn"); of these only an error ends the work.
      return /error|abort|cancel/i.test(part.finishReason.raw) ? "error" : "stop";
  }
}

function usageOf(usage: SdkFinish["usage"]): Usage {
  return {
    input: toldTokens(usage.inputTokens.total),
    output: toldTokens(usage.outputTokens.total),
    cacheRead: toldTokens(usage.inputTokens.cacheRead),
    cacheWrite: toldTokens(usage.inputTokens.cacheWrite),
    reasoning: toldTokens(usage.outputTokens.reasoning),
  };
}
