// The format of recordings (docs/guide/recordings.md): what a request must look like, and what is answered.
import { z } from "zod";
import { Fault } from "../../base/fault.ts";
import { Json } from "../../protocol/message.ts";

const RecordedCall = z.strictObject({
  id: z.string().optional(),
  name: z.string(),
  input: Json.optional(),
  /** Arguments exactly as the model wrote them, for broken JSON. */
  raw: z.string().optional(),
});

export const RecordedStep = z.strictObject({
  /** Each must occur in the prompt or the tool results that the request ends with. */
  expect: z.array(z.string()).optional(),
  /** What the request ended with that was recorded: all after the last answer, without what differs in every run. */
  asked: z.array(z.strictObject({ role: z.string(), text: z.string() })).optional(),
  /**
   * Each must occur somewhere in the conversation, which holds `at` answers (none when left out). Such a step is no part of the
   * order: it answers every request that it fits, for what works at the same time and asks in any order.
   */
  for: z.array(z.string()).min(1).optional(),
  /** Answers that its conversation held already. */
  at: z.number().int().nonnegative().optional(),
  reasoning: z.string().optional(),
  say: z.string().optional(),
  calls: z.array(RecordedCall).optional(),
  finish: z.enum(["stop", "calls", "length", "filter"]).optional(),
  usage: z.strictObject({ input: z.number(), output: z.number(), cacheRead: z.number().optional() }).optional(),
  /** An HTTP status of 400 or more instead of an answer, with `say` as its message. */
  status: z.number().int().min(400).max(599).optional(),
});
export type RecordedStep = z.infer<typeof RecordedStep>;

const Header = z.strictObject({
  /** Version of the format. */
  recording: z.literal(1),
  title: z.string().optional(),
  model: z.string().optional(),
  /** ms between two pieces of an answer. */
  pace: z.number().nonnegative().optional(),
});

export interface Recording {
  title: string;
  model?: string;
  pace: number;
  steps: RecordedStep[];
}

/** Throws a Fault (exit 2) that names the line. */
export function parseRecording(text: string, file: string): Recording {
  const recording: Recording = { title: file, pace: 0, steps: [] };
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "" || line.startsWith("//")) continue;
    const value = parseLine(line, `${file}, line ${index + 1}`);
    const header = index === 0 && value !== null && typeof value === "object" && "recording" in value;
    const parsed = header ? Header.safeParse(value) : RecordedStep.safeParse(value);
    if (!parsed.success)
      throw badLine(`${file}, line ${index + 1}`, z.prettifyError(parsed.error).replace(/\s+/g, " "));
    if ("recording" in parsed.data) {
      recording.title = parsed.data.title ?? file;
      recording.pace = parsed.data.pace ?? 0;
      if (parsed.data.model !== undefined) recording.model = parsed.data.model;
    } else recording.steps.push(parsed.data);
  }
  if (recording.steps.length === 0) throw badLine(file, "it holds no steps.");
  return recording;
}

function parseLine(line: string, where: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw badLine(where, "it is not JSON.");
  }
}

const badLine = (where: string, detail: string): Fault =>
  new Fault(
    "recording.format",
    2,
    `The recording cannot be played (${where}): ${detail}`,
    "See docs/guide/recordings.md.",
  );
