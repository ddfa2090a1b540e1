// How a piece of work is put to an agent that knows nothing of the conversation yet.
import bugFix from "../../../assets/prompts/bug_fix.md";
import codeReview from "../../../assets/prompts/code_review.md";
import debugging from "../../../assets/prompts/debugging.md";
import documentation from "../../../assets/prompts/documentation.md";
import freeform from "../../../assets/prompts/freeform.md";
import newFeature from "../../../assets/prompts/new_feature.md";
import refactor from "../../../assets/prompts/refactor.md";
import testWriting from "../../../assets/prompts/test_writing.md";
import type { Message } from "../../protocol/message.ts";
import type { TaskType } from "../../protocol/router.ts";
import { textOf } from "../contract/content.ts";
import { classify } from "../router/classify.ts";
import { textIn } from "../../base/text-in.ts";

const templates: Partial<Record<TaskType, string>> = {
  refactor,
  review: codeReview,
  security_review: codeReview,
  unit_test: testWriting,
  debug: debugging,
  generation: newFeature,
};

/** A prompt that says only a little of what it is about is put as it is. */
function templateOf(prompt: string): string {
  const { type, by, because } = classify({ prompt });
  if (by === "words" && because === "nothing that tells") return freeform;
  if (/\b(document|documentation|docs|readme|docstrings?|changelog)\b/i.test(prompt) && type === "generation")
    return documentation;
  if (type === "debug" && /\b(fix|repair|correct|behebe|repariere)/i.test(prompt)) return bugFix;
  return templates[type] ?? freeform;
}

/** Of what was said before; its end matters more than its start. */
const longestBefore = 12_000;

/** `before`: what others were asked and answered. */
export function openingOf(prompt: string, before: readonly Message[]): string {
  const said = before.flatMap(lineOf).join("\n\n");
  const told = said.length > longestBefore ? `[…]\n${said.slice(-longestBefore)}` : said;
  const known = told === "" ? "" : `What was said before, for your information only:\n\n${told}\n\n---\n\n`;
  // A function, as `$&` in a prompt means nothing.
  return (
    known +
    templateOf(prompt)
      .trim()
      .replace("{{task}}", () => prompt)
  );
}

function lineOf(message: Message): string[] {
  if (message.role === "tool") return [];
  const text = message.role === "user" ? textOf(message.content) : textIn(message.content);
  return text.trim() === "" ? [] : [`${message.role === "user" ? "Person" : "Answer"}: ${text.trim()}`];
}
