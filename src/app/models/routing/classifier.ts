// What kind of work it is: by its words, or by a small local model that has two seconds to say it in one word.
import { Fault } from "../../../base/fault.ts";
import type { Firewall } from "../../../guard/firewall/firewall.ts";
import { classify, type WorkWish } from "../../../model/router/classify.ts";
import { createWire } from "../../../model/wire.ts";
import { WireFault } from "../../../protocol/request.ts";
import { type Classification, type TaskType, taskTypes } from "../../../protocol/router.ts";
import type { ArmSource } from "../cards/arm-source.ts";
import type { Program } from "../../program/program.ts";

interface ClassifierParts {
  program: Pick<Program, "config">;
  arms: ArmSource;
  firewall: Pick<Firewall, "scrub">;
}

const limitMs = 2_000;
/** What comes later in a prompt is material. */
const mostCharacters = 2_000;

const system = `You sort requests to a coding agent. Answer with exactly one of these words and nothing else: ${taskTypes.join(" ")}`;

/** Missions and plan mode say it themselves; complexity is always counted. Never rejects for what the model does. */
export async function classified(wish: WorkWish, around: ClassifierParts): Promise<Classification> {
  const byWords = classify(wish);
  const { classifier } = around.program.config().settings.router;
  if (classifier === undefined || byWords.by !== "words") return byWords;
  const said = await ask(classifier, wish.prompt, around).catch(whyNot);
  if ("notByModel" in said) return { ...byWords, ...said };
  return { ...byWords, type: said.type, by: "model", because: classifier };
}

function whyNot(error: unknown): { notByModel: string } {
  if (error instanceof DOMException || (error instanceof Error && error.name === "TimeoutError"))
    return { notByModel: "no answer within 2 s" };
  if (error instanceof Fault || error instanceof WireFault) return { notByModel: error.message };
  throw error;
}

async function ask(
  classifier: string,
  prompt: string,
  { arms, firewall }: ClassifierParts,
): Promise<{ type: TaskType } | { notByModel: string }> {
  const signal = AbortSignal.timeout(limitMs);
  const arm = await arms(classifier);
  if (!arm.provider.local) return { notByModel: `${arm.name} is not local` };
  const request = firewall.scrub({
    ...{ model: arm.model, system, tools: [], maxOutputTokens: 200, temperature: 0 },
    messages: [{ role: "user", content: [{ type: "text", text: prompt.slice(0, mostCharacters) }] }],
  });
  let text = "";
  for await (const part of createWire({ tries: 1 }).stream(arm, request, { signal, waiting: () => undefined })) {
    if (signal.aborted) throw signal.reason;
    if (part.type === "text") text += part.text;
  }
  const type = typeIn(text);
  return type ? { type } : { notByModel: "its answer was none of the kinds" };
}

/** The last of the words that it named: those that reason aloud end with the answer. */
function typeIn(text: string): TaskType | undefined {
  const words = text.toLowerCase().match(/[a-z_]+/g) ?? [];
  return words.findLast((word): word is TaskType => (taskTypes as readonly string[]).includes(word)) as
    | TaskType
    | undefined;
}
