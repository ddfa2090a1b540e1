// Plays a recording to itself, over the same local HTTP connection that a session would use.
import { recordedProvider } from "../../../model/providers/recorded.ts";
import type { Scrubbed } from "../../../model/contract/provider.ts";
import type { RecordedStep, Recording } from "../../../model/recording/recording.ts";
import type { AssistantContent, Json, Message } from "../../../protocol/message.ts";
import { type ModelRequest, WireFault } from "../../../protocol/request.ts";

interface Misplayed {
  /** From 0. */
  step: number;
  what: string;
}

type Scrub = (request: ModelRequest) => Scrubbed;

/** Ends with the first step that does not play: nothing after it would stand where it did. */
export async function played(file: string, { steps, title }: Recording, scrub: Scrub): Promise<Misplayed[]> {
  const provider = recordedProvider(title, file);
  const tools = [...new Set(steps.flatMap(({ calls = [] }) => calls.map(({ name }) => name)))];
  for (const [index, step] of steps.entries()) {
    const before = index === 0 ? (step.at ?? 0) : 1;
    const request = scrub(requestOf(step, before, tools));
    const what = await playedOne(step, provider.stream(request, new AbortController().signal));
    if (what !== undefined) return [{ step: index, what }];
  }
  return [];
}

async function playedOne(
  step: RecordedStep,
  stream: ReturnType<ReturnType<typeof recordedProvider>["stream"]>,
): Promise<string | undefined> {
  try {
    for await (const part of stream) {
      if (part.type !== "end") continue;
      const same = JSON.stringify(answerOf(part.content)) === JSON.stringify(expected(step));
      return same ? undefined : "the answer that comes back is not the one in the file";
    }
    return "no answer came back";
  } catch (error) {
    if (!(error instanceof WireFault)) throw error;
    return step.status !== undefined && error.status === step.status ? undefined : error.message;
  }
}

interface Answer {
  reasoning: string;
  say: string;
  calls: [string, Json][];
}

function answerOf(content: readonly AssistantContent[]): Answer {
  const joined = (type: "text" | "reasoning") =>
    content.map((block) => (block.type === type ? block.text : "")).join("");
  const calls = content.flatMap((block): Answer["calls"] =>
    block.type === "call" ? [[block.name, block.malformed ?? block.input]] : [],
  );
  return { reasoning: joined("reasoning"), say: joined("text"), calls };
}

const expected = ({ reasoning = "", say = "", calls = [] }: RecordedStep): Answer => ({
  ...{ reasoning, say },
  calls: calls.map(({ name, input, raw }) => [name, raw ?? input ?? {}]),
});

/** What the step was recorded for, after so many answers. */
function requestOf(step: RecordedStep, answers: number, tools: readonly string[]): ModelRequest {
  const tail = step.asked ?? [{ role: "user", text: (step.expect ?? []).join("\n") }];
  const results = tail.filter(({ role }) => role === "tool");
  const messages: Message[] = [];
  for (let number = 1; number <= answers; number += 1) {
    const last = number === answers;
    const calls = last ? results.map((_, index) => callOf(index)) : [];
    messages.push({ role: "user", content: [{ type: "text", text: "(before)" }] });
    messages.push({ role: "assistant", vendor: "chat:recorded", content: [{ type: "text", text: "(before)" }, ...calls] });
  }
  const answered: Message[] = results.length > 0 ? [{ role: "tool", content: results.map(resultOf) }] : [];
  const said = tail.filter(({ role }) => role !== "tool").map(({ text }): Message => ({
    ...{ role: "user", content: [{ type: "text", text: text || "(nothing)" }] },
  }));
  return {
    ...{ model: "recorded", system: "", maxOutputTokens: 1000 },
    tools: tools.map((name) => ({ name, description: name, schema: { type: "object" } })),
    messages: [...messages, ...answered, ...said],
  };
}

const callOf = (index: number) => ({ type: "call" as const, id: `before_${index}`, name: "before", input: {} });

const resultOf = ({ text }: { text: string }, index: number) => ({
  ...{ type: "result" as const, call: `before_${index}`, name: "before", failed: false },
  parts: [{ type: "text" as const, text }],
});
