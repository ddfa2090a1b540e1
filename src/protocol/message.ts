// Messages of a conversation, as every provider adapter and the session store see them.
import { z } from "zod";

/** Anything JSON can hold. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export const Json: z.ZodType<Json> = z.json() as z.ZodType<Json>;

/** What a provider attached to a block (signatures, cache ids); returned to that vendor unchanged, never read by us. */
export const VendorData = z.record(z.string(), z.record(z.string(), Json));
export type VendorData = z.infer<typeof VendorData>;

/**
 * `source` marks text that no person typed (standard input, an @file): whoever builds a request wraps it as data and
 * names what was `found` in it. `note` marks fettle's own words beside the data of a result.
 */
export const TextContent = z.object({
  type: z.literal("text"),
  text: z.string(),
  source: z.string().optional(),
  found: z.array(z.string()).optional(),
  note: z.boolean().optional(),
  vendorData: VendorData.optional(),
});
export type TextContent = z.infer<typeof TextContent>;

/** Bytes as base64; `mime` is image/png, image/jpeg, image/gif or image/webp. */
export const ImageContent = z.object({ type: z.literal("image"), mime: z.string(), data: z.string() });
export type ImageContent = z.infer<typeof ImageContent>;

/** A model's reasoning. `vendor` is the provider that produced it: only that vendor ever gets it back. */
export const ReasoningContent = z.object({
  type: z.literal("reasoning"),
  text: z.string(),
  vendor: z.string(),
  vendorData: VendorData.optional(),
});
export type ReasoningContent = z.infer<typeof ReasoningContent>;

/** `input` is the parsed arguments; when the model's JSON was broken, `input` is null and `malformed` its raw text. */
export const CallContent = z.object({
  type: z.literal("call"),
  id: z.string(),
  name: z.string(),
  input: Json,
  malformed: z.string().optional(),
  vendorData: VendorData.optional(),
});
export type CallContent = z.infer<typeof CallContent>;

export const Part = z.discriminatedUnion("type", [TextContent, ImageContent]);
export type Part = z.infer<typeof Part>;

/** Answers the call `call` of the preceding assistant message. */
export const ResultContent = z.object({
  type: z.literal("result"),
  call: z.string(),
  name: z.string(),
  failed: z.boolean(),
  parts: z.array(Part),
});
export type ResultContent = z.infer<typeof ResultContent>;

export const AssistantContent = z.discriminatedUnion("type", [TextContent, ReasoningContent, CallContent]);
export type AssistantContent = z.infer<typeof AssistantContent>;

/**
 * A message has at least one content block; an assistant message remembers the vendor that wrote it. `by` marks a user
 * message that is not the person's word: a note of fettle's, the output of the person's own command, or what stands for
 * messages that were left out. No provider reads it.
 */
export const Message = z.discriminatedUnion("role", [
  z.object({
    role: z.literal("user"),
    content: z.array(Part).min(1),
    by: z.enum(["note", "command", "compaction"]).optional(),
  }),
  z.object({ role: z.literal("assistant"), vendor: z.string(), content: z.array(AssistantContent).min(1) }),
  z.object({ role: z.literal("tool"), content: z.array(ResultContent).min(1) }),
]);
export type Message = z.infer<typeof Message>;

/** Tokens of one model call. `input` includes cached ones; unknown counts are 0. */
export const Usage = z.object({
  input: z.number().int().nonnegative(),
  output: z.number().int().nonnegative(),
  cacheRead: z.number().int().nonnegative(),
  cacheWrite: z.number().int().nonnegative(),
  reasoning: z.number().int().nonnegative(),
});
export type Usage = z.infer<typeof Usage>;
/** Why an answer ended. Tools run only after `calls` or `stop`. */
export const Finish = z.enum(["stop", "calls", "length", "filter", "error", "aborted"]);
export type Finish = z.infer<typeof Finish>;
