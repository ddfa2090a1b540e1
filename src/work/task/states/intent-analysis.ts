import { z } from "zod";
import { Intent, type IntentFound } from "../../../protocol/task.ts";
import type { Json } from "../../../protocol/message.ts";
import { jsonOf } from "../crew.ts";
import { guessIntent } from "../intent.ts";
import type { Came, TaskState, Work } from "../work.ts";

const Found = z.object({
  intent: Intent,
  confidence: z.number().min(0).max(1),
  docsOnly: z.boolean(),
  question: z.string().optional(),
});

/** By the words; where they do not say enough, by a model that reads the repository; where that is not sure, by the person. */
export const intentAnalysis: TaskState = {
  name: "INTENT_ANALYSIS",
  async work(work) {
    const guess = guessIntent(work.task.request.text);
    if (guess.confidence >= work.world.settings.confidence) return classified(guess);
    const found = await byModel(work);
    if (found && found.confidence >= work.world.settings.confidence) return classified({ ...found, by: "model" });
    return byPerson(work, found?.question);
  },
};

const classified = (intent: IntentFound): Came => ({
  to: "REPO_DISCOVERY",
  patch: { intent },
  detail: `${intent.intent}${intent.docsOnly ? ", documents only" : ""} (${Math.round(intent.confidence * 100)} %, by ${intent.by})`,
});

async function byModel(work: Work) {
  const { text, source } = work.task.request;
  const end = await work.send({
    mission: "explorer",
    text:
      "What kind of task is this? question, explain and meta change nothing; fix mends what is wrong, develop makes something new, refactor keeps all behaviour. " +
      `docsOnly: only documents change. question: what you would have to ask the person when you are not sure.\n\nThe task:${source === undefined ? `\n${text}` : ""}`,
    ...(source !== undefined && { data: { text, source } }),
    schema: z.toJSONSchema(Found) as Json,
  });
  if (end.stop.kind !== "done") return undefined;
  const read = Found.safeParse(jsonOf(end.text));
  return read.success ? read.data : undefined;
}

async function byPerson(work: Work, asked: string | undefined): Promise<Came> {
  const question = asked ?? "Is this something to fix, to develop, to refactor, or a question?";
  const answer = await work.question(question, Intent.options);
  if (answer === undefined) return { to: "FAILED", detail: `It is not clear what is wanted: ${question}` };
  const named = Intent.options.find((intent) => intent === answer.trim().toLowerCase());
  const guess = guessIntent(`${work.task.request.text}\n${answer}`);
  return classified({ intent: named ?? guess.intent, confidence: 1, by: "person", docsOnly: guess.docsOnly });
}
