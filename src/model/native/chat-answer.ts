// Chunks of an OpenAI chat completion to answer parts, as the many servers of this format really send them.
import { entryOf } from "../../base/entry.ts";
import type { AssistantContent, CallContent, Finish, Json, ReasoningContent, Usage } from "../../protocol/message.ts";
import type { AnswerPart } from "../../protocol/request.ts";
import { noUsage } from "../../protocol/usage.ts";
import { normalFinish, parseArguments } from "../contract/content.ts";
import { type Counterpart, faultOfReply, unreadable } from "../contract/faults.ts";
import { toldTokens } from "../contract/told-tokens.ts";
import { CallPieces, type ChatCallPiece } from "./call-pieces.ts";
import { chatKey } from "./chat-request.ts";
import type { NativeAnswer } from "./stream.ts";

interface Delta {
  content?: string | ContentPart[] | null;
  reasoning_content?: string | null;
  reasoning?: string | null;
  reasoning_details?: Detail[] | null;
  refusal?: string | null;
  tool_calls?: ChatCallPiece[] | null;
}
interface ContentPart {
  type?: string;
  text?: string;
  /** Mistral: parts of text. */
  thinking?: { text?: string }[];
}
type Detail = { [key: string]: Json };
interface Chunk {
  error?: unknown;
  choices?: { delta?: Delta | null; message?: Delta | null; finish_reason?: string | null }[];
  usage?: ChatUsage | null;
}
interface ChatUsage {
  prompt_tokens?: number;
  completion_tokens?: number;
  prompt_tokens_details?: { cached_tokens?: number } | null;
  completion_tokens_details?: { reasoning_tokens?: number } | null;
}

const finishes: Record<string, Finish> = {
  stop: "stop",
  length: "length",
  content_filter: "filter",
  tool_calls: "calls",
  function_call: "calls",
};

export class ChatAnswer implements NativeAnswer {
  readonly #vendor: string;
  readonly #about: Counterpart;
  readonly #content: Exclude<AssistantContent, CallContent>[] = [];
  readonly #calls = new CallPieces();
  #details: Detail[] = [];
  #reason: string | undefined;
  #refused = false;
  #usage: Usage = noUsage;
  over = false;

  constructor(vendor: string, about: Counterpart) {
    this.#vendor = vendor;
    this.#about = about;
  }

  get begun(): boolean {
    return this.#content.length > 0 || this.#calls.size > 0;
  }

  /** Without a stop reason, an answer counts when the server has said its last word and no call is torn. */
  get finish(): Finish | undefined {
    if (this.#refused) return "filter";
    if (this.#reason === undefined) return this.over && this.begun && this.#calls.complete ? "stop" : undefined;
    // Servers invent reasons ("eos", "end_turn"); of these only an error ends the work.
    return entryOf(finishes, this.#reason) ?? (/error|abort|cancel/i.test(this.#reason) ? "error" : "stop");
  }

  *take(piece: string): Generator<AnswerPart> {
    if (piece.trim() === "[DONE]") {
      this.over = true;
      return;
    }
    const chunk = this.#parse(piece);
    if (chunk.usage) this.#usage = usageOf(chunk.usage);
    const [choice] = chunk.choices ?? [];
    if (choice?.finish_reason) this.#reason = choice.finish_reason;
    // A server that does not stream sends the whole message at once, and nothing after it.
    if (choice?.message && !choice.delta) this.over = true;
    const delta = choice?.delta ?? choice?.message;
    if (delta) yield* this.#extend(delta);
  }

  end(finish: Finish): AnswerPart {
    const calls: CallContent[] = this.#calls.all().map(({ id, name, text, extra }) => ({
      type: "call",
      id,
      name,
      ...parseArguments(text),
      ...(extra === undefined ? {} : { vendorData: { [chatKey]: { extra_content: extra } } }),
    }));
    if (this.#details.length > 0) this.#keepDetails();
    const content = [...this.#content, ...calls];
    return { type: "end", content, finish: normalFinish(finish, calls.length), usage: this.#usage };
  }

  #parse(piece: string): Chunk {
    let chunk: Chunk;
    try {
      chunk = JSON.parse(piece) as Chunk;
    } catch (error) {
      throw unreadable(this.#about, "a piece of it is not JSON.", error);
    }
    if (chunk?.error) throw faultOfReply({ status: 0, headers: {}, body: JSON.stringify(chunk) }, this.#about);
    if (!Array.isArray(chunk?.choices)) throw unreadable(this.#about, "a piece of it is no part of a chat completion.");
    return chunk;
  }

  *#extend(delta: Delta): Generator<AnswerPart> {
    const field = delta.reasoning_content ? "reasoning_content" : "reasoning";
    yield* this.#add("reasoning", delta[field], field);
    for (const detail of delta.reasoning_details ?? []) this.#details = addDetail(this.#details, detail);
    if (typeof delta.content === "string") yield* this.#add("text", delta.content);
    else for (const part of delta.content ?? []) yield* this.#addPart(part);
    if (delta.refusal) {
      this.#refused = true;
      yield* this.#add("text", delta.refusal);
    }
    for (const call of delta.tool_calls ?? []) {
      this.#calls.add(call);
      yield { type: "call", bytes: Buffer.byteLength(JSON.stringify(call.function ?? "")) };
    }
  }

  *#addPart(part: ContentPart): Generator<AnswerPart> {
    if (part.thinking) yield* this.#add("reasoning", part.thinking.map((each) => each.text ?? "").join(""));
    else yield* this.#add("text", part.text);
  }

  *#add(
    type: "text" | "reasoning",
    text: string | null | undefined,
    field = "reasoning_content",
  ): Generator<AnswerPart> {
    if (!text) return;
    const last = this.#content.at(-1);
    if (last?.type === type) last.text += text;
    else if (type === "text") this.#content.push({ type, text });
    else this.#content.push({ type, text, vendor: this.#vendor, vendorData: { [chatKey]: { field } } });
    yield { type, text };
  }

  #keepDetails(): void {
    let block = this.#content.find((each): each is ReasoningContent => each.type === "reasoning");
    if (!block) {
      block = { type: "reasoning", text: "", vendor: this.#vendor };
      this.#content.unshift(block);
    }
    block.vendorData = { [chatKey]: { ...block.vendorData?.[chatKey], details: this.#details } };
  }
}

/** OpenRouter streams details in pieces: texts of one entry are joined, the rest of it is what came last. */
function addDetail(details: readonly Detail[], more: Detail): Detail[] {
  const last = details.at(-1);
  const same = last && last["type"] === more["type"] && last["index"] === more["index"] && last["id"] === more["id"];
  if (!same) return [...details, more];
  const joined: Detail = { ...last };
  for (const [key, value] of Object.entries(more)) {
    const known = joined[key];
    const grows = (key === "text" || key === "summary") && typeof known === "string" && typeof value === "string";
    if (grows) joined[key] = known + value;
    else if (value !== null) joined[key] = value;
  }
  return [...details.slice(0, -1), joined];
}

function usageOf(usage: ChatUsage): Usage {
  return {
    input: toldTokens(usage.prompt_tokens),
    output: toldTokens(usage.completion_tokens),
    cacheRead: toldTokens(usage.prompt_tokens_details?.cached_tokens),
    cacheWrite: 0,
    reasoning: toldTokens(usage.completion_tokens_details?.reasoning_tokens),
  };
}
