// What a person wants of a task, by their words: with a confidence that says whether to ask a model, or the person.
import type { Intent, IntentFound } from "../../../protocol/task.ts";

interface Cue {
  intent: Intent;
  pattern: RegExp;
  weight: number;
}

const cues: readonly Cue[] = [
  {
    intent: "question",
    pattern: /^(?:why|how|what|where|when|which|who|is|are|does|do|can|could|should)\b.*\?\s*$/is,
    weight: 4,
  },
  { intent: "question", pattern: /^(?:why|what|where|who)\b/i, weight: 2 },
  {
    intent: "explain",
    pattern: /^(?:please )?(?:explain|describe|summari[sz]e|walk me through|show me how)\b/i,
    weight: 4,
  },
  {
    intent: "meta",
    pattern:
      /^(?:who|what) are you\b|\bwhat can you do\b|\bhow do you work\b|\b(?:fettle|your (?:own )?(?:settings|configuration|tools|limits|states?|prompts?|modes?))\b.*\?\s*$/is,
    weight: 8,
  },
  {
    intent: "refactor",
    pattern:
      /\b(?:refactor|restructure|rename|extract|inline|split up|deduplicate|simplify|clean ?up|tidy|without changing (?:the )?behaviou?r)\b/i,
    weight: 3,
  },
  {
    intent: "fix",
    pattern:
      /\b(?:fix|bug|repair|mend|correct|crash(?:es|ing)?|broken|fails?|failing|wrong|regression|error|off[- ]by[- ]one|leak)\b/i,
    weight: 3,
  },
  {
    intent: "develop",
    pattern: /\b(?:add|implement|create|build|introduce|support|write|extend|make|allow|enable|provide|new)\b/i,
    weight: 2,
  },
  {
    intent: "develop",
    pattern: /\b(?:feature|endpoint|option|flag|command|button|page|function|method|class|document)\b/i,
    weight: 1,
  },
];

const documents = /\b(?:readme|docs?|documentation|changelog|comment|typos?|spelling|wording|licen[cs]e)\b/i;
const code = /\b(?:function|class|method|api|code|test|bug|endpoint|module)\b/i;

/** `Could you please add x?` asks for x, and is no question. */
const polite =
  /^(?:(?:can|could|would|will) (?:you|we)(?: please| kindly)?|please|kindly|i(?:'d| would) like you to|let'?s)\s+(?=[a-z])/i;
const stillAsks = /^(?:tell|say|know|help|see|show|find out|check (?:if|whether|why))\b/i;

/** What is wanted is said at the beginning. */
const longest = 4000;

function plainly(text: string): string {
  const trimmed = text.trim().slice(0, longest);
  const rest = trimmed.replace(polite, "");
  return rest === trimmed || stillAsks.test(rest) ? trimmed : rest.replace(/\?\s*$/, "");
}

/** `Add a colour, and update the README` wishes for two things. */
const clauses = (text: string): string[] =>
  text.split(/[.;!?]+(?=\s|$)|[\n,]|\b(?:and|then|also)\b/).filter((clause) => /\w\s+\S*\w/.test(clause));

/** Whether documents are a part of what is wished for. */
export const namesDocuments = (text: string): boolean => documents.test(text);

/** Two that are as likely as each other are no better than a guess. */
export function guessIntent(text: string): IntentFound {
  const scores = new Map<Intent, number>();
  const asked = plainly(text);
  for (const { intent, pattern, weight } of cues)
    if (pattern.test(asked)) scores.set(intent, (scores.get(intent) ?? 0) + weight);
  const [best, second] = [...scores].toSorted(([, left], [, right]) => right - left);
  const docsOnly = !code.test(asked) && clauses(asked).every((clause) => documents.test(clause));
  if (!best) return { intent: "develop", confidence: 0.3, by: "heuristic", docsOnly };
  const lead = best[1] - (second?.[1] ?? 0);
  const confidence = lead >= 3 ? 0.95 : lead === 2 ? 0.85 : lead === 1 ? 0.75 : 0.5;
  return { intent: best[0], confidence, by: "heuristic", docsOnly };
}

/** It is answered, and nothing is changed. */
export const onlyAnswers = (intent: Intent): boolean =>
  intent === "question" || intent === "explain" || intent === "meta";
