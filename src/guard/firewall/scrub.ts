// Redacts a whole request, message by message; a message is looked at once.
import type { AssistantContent, Json, Message, Part, ResultContent } from "../../protocol/message.ts";
import type { ModelRequest } from "../../protocol/request.ts";

type Redact = (text: string) => string;

/** The beginning of the system prompt, and the list of tools: constants of the program. */
export interface OwnWords {
  system: string;
  tools: ModelRequest["tools"];
}

export function scrubber(redact: Redact, own?: OwnWords): (request: ModelRequest) => ModelRequest {
  const scrubSystem = (text: string): string =>
    own && text.startsWith(`${own.system}\n`) ? own.system + redact(text.slice(own.system.length)) : redact(text);
  const messages = new WeakMap<Message, Message>();
  const tools = new WeakMap<ModelRequest["tools"], ModelRequest["tools"]>();
  let system = { before: "", after: "" };
  return (request) => {
    if (system.before !== request.system) system = { before: request.system, after: scrubSystem(request.system) };
    return {
      ...request,
      system: system.after,
      tools:
        request.tools === own?.tools
          ? request.tools
          : remembered(tools, request.tools, (specs) => scrubTools(specs, redact)),
      messages: request.messages.map((message) => remembered(messages, message, (each) => scrubMessage(each, redact))),
    };
  };
}

/** Looked at as one text: without a finding, and there hardly ever is one, nothing need be looked at piece by piece. */
function scrubTools(specs: ModelRequest["tools"], redact: Redact): ModelRequest["tools"] {
  const text = JSON.stringify(specs);
  if (redact(text) === text) return specs;
  return sameOr(specs, (spec) => scrubJson(spec as unknown as Json, redact) as unknown as typeof spec);
}

function remembered<T extends object>(cache: WeakMap<T, T>, value: T, make: (value: T) => T): T {
  const known = cache.get(value);
  if (known) return known;
  const made = make(value);
  cache.set(value, made);
  return made;
}

/** The list itself when nothing in it changed. */
function sameOr<T>(list: T[], change: (item: T) => T): T[] {
  const changed = list.map(change);
  return changed.every((item, index) => item === list[index]) ? list : changed;
}

function scrubMessage(message: Message, redact: Redact): Message {
  if (message.role === "user")
    return withContent(
      message,
      sameOr(message.content, (part) => scrubPart(part, redact)),
    );
  if (message.role === "tool")
    return withContent(
      message,
      sameOr(message.content, (result) => scrubResult(result, redact)),
    );
  return withContent(
    message,
    sameOr(message.content, (block) => scrubBlock(block, redact)),
  );
}

const withContent = <M extends Message>(message: M, content: M["content"]): M =>
  content === message.content ? message : { ...message, content };

function scrubPart<P extends Part>(part: P, redact: Redact): P {
  if (part.type !== "text") return part;
  const text = redact(part.text);
  return text === part.text ? part : { ...part, text };
}

function scrubResult(result: ResultContent, redact: Redact): ResultContent {
  const parts = sameOr(result.parts, (part) => scrubPart(part, redact));
  return parts === result.parts ? result : { ...result, parts };
}

/** Reasoning that its vendor signed came from that vendor and must go back as it is; changed, it would be refused. */
function scrubBlock(block: AssistantContent, redact: Redact): AssistantContent {
  if (block.type === "call") {
    const input = scrubJson(block.input, redact);
    const malformed = block.malformed === undefined ? undefined : redact(block.malformed);
    if (input === block.input && malformed === block.malformed) return block;
    return { ...block, input, ...(malformed !== undefined && { malformed }) };
  }
  if (block.type === "reasoning" && block.vendorData) return block;
  const text = redact(block.text);
  return text === block.text ? block : { ...block, text };
}

function scrubJson(value: Json, redact: Redact): Json {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return sameOr(value, (item) => scrubJson(item, redact));
  if (value === null || typeof value !== "object") return value;
  const entries = Object.entries(value);
  const changed = entries.map(([name, item]) => [redact(name), scrubNamed(name, item, redact)] as const);
  return changed.every(([name, item], index) => name === entries[index]?.[0] && item === entries[index]?.[1])
    ? value
    : Object.fromEntries(changed);
}

/** An object of a call, its names too. */
export const redactJson = (value: { [key: string]: Json }, redact: Redact): { [key: string]: Json } =>
  scrubJson(value, redact) as { [key: string]: Json };

/** `{"password": "…"}`: the name that gives the value away stands beside it, not in the same string. */
function scrubNamed(name: string, item: Json, redact: Redact): Json {
  if (typeof item !== "string") return scrubJson(item, redact);
  const prefix = `${name}="`;
  const together = redact(`${prefix}${item}"`);
  return together.startsWith(prefix) && together.endsWith('"') ? together.slice(prefix.length, -1) : redact(item);
}
