import { z } from "zod";
import { Intent, type IntentFound } from "../../../protocol/task.ts";
import { answerIn, readAnswer } from "../world/answers.ts";
import { guessIntent } from "../machine/intent.ts";
import type { StateOutcome, TaskState, Work } from "../work/work.ts";

const Found = z.object({
  intent: Intent,
  confidence: z.number().min(0).max(1),
  docsOnly: z.boolean(),
  question: z.string().optional(),
});
type Found = z.infer<typeof Found>;

/** By the words; where they do not say enough, by a model that reads the repository; where that is not sure, by the person. */
export const intentAnalysis: TaskState = {
  name: "INTENT_ANALYSIS",
  async work(work) {
    const { given } = work.task.request;
    if (given) return classified({ intent: given.intent, docsOnly: given.docsOnly, confidence: 1, by: "person" });
    const guess = guessIntent(work.task.request.text);
    const sure = ({ confidence }: Pick<IntentFound, "confidence">) => confidence >= work.world.settings.confidence;
    // Asked before, and paused: the question is the same when the answer comes.
    if (work.task.question !== undefined) return byPerson(work, work.task.question);
    if (sure(guess)) return classified(guess);
    const found = await byModel(work, "");
    if (found && sure(found)) return classified({ ...found, by: "model" });
    return byPerson(work, found?.question ?? "Is this something to fix, to develop, to refactor, or a question?");
  },
};

const classified = (intent: IntentFound, said: string[] = []): StateOutcome => ({
  to: "REPO_DISCOVERY",
  patch: { intent, ...(said.length > 0 && { feedback: said }) },
  detail: `${intent.intent}${intent.docsOnly ? ", documents only" : ""} (${sureness(intent)})`,
});

const sureness = ({ by, confidence }: IntentFound): string => {
  if (by === "person") return "as was said";
  const percent = Math.round(confidence * 100);
  return by === "model" ? `the model is ${percent} % sure` : `${percent} % sure by its words`;
};

async function byModel(work: Work, said: string): Promise<Found | undefined> {
  const { text, source } = work.task.request;
  const end = await work.send({
    mission: "explorer",
    text:
      "What kind of task is this? question and explain are about the code, meta is about fettle itself, and none of them changes anything; fix mends what is wrong, develop makes something new, refactor keeps all behaviour. " +
      `docsOnly: only documents change. question: what you would have to ask the person when you are not sure.\n\n${said}The task:${source === undefined ? `\n${text}` : ""}`,
    ...(source !== undefined && { data: { text, source } }),
    answer: Found,
  });
  if (end.stop.kind !== "done") return undefined;
  const read = readAnswer(Found, answerIn(end.text));
  return "value" in read ? read.value : undefined;
}

/** One word may be the answer; any other is heard by the missions too. */
async function byPerson(work: Work, question: string): Promise<StateOutcome> {
  if (work.task.question === undefined) work.note({ question }, `to be asked: ${question}`);
  const answer = await work.question(question, Intent.options);
  const plain = answer?.trim() ?? "";
  if (plain === "") return { pause: `${question} Answer it: fettle task answer ${work.task.id} "…"` };
  const { text } = work.task.request;
  const named = Intent.options.find((intent) => intent === plain.toLowerCase());
  const guess = guessIntent(named ? text : `${plain}\n${text}`);
  if (named) return classified({ ...guess, intent: named, confidence: 1, by: "person" });
  const said = `You asked: ${question} The person answered: ${plain}`;
  const sure = guess.confidence >= work.world.settings.confidence;
  const found = sure ? undefined : await byModel(work, `${said}\n\n`);
  const { intent, docsOnly } = found ?? guess;
  return classified({ intent, docsOnly, confidence: 1, by: "person" }, [said]);
}
