import { isA, withFallback } from "./fallback.ts";

/** The JSON text of a model's answer: bare, or what its only code fence holds. */
export function jsonText(answer: string): string {
  const text = answer.trim();
  return text.endsWith(`\n${fence}`) ? (fenced(text.slice(0, -fence.length - 1)) ?? text) : text;
}

const fence = "```";

/** What stands behind the last fence that is opened before any bracket. By hand: a pattern goes over it again from each fence. */
function fenced(text: string): string | undefined {
  const bracket = text.search(/[{[]/);
  for (let at = text.lastIndexOf(fence, bracket < 0 ? text.length : bracket); at >= 0; at = before(text, at)) {
    opening.lastIndex = at;
    if (opening.test(text)) return text.slice(opening.lastIndex).trim();
  }
  return undefined;
}

const opening = /```(?:json)?\s*\n/y;
const before = (text: string, at: number): number => (at === 0 ? -1 : text.lastIndexOf(fence, at - 1));

/** What a model's answer is as JSON; undefined where it is none. */
export const answerJson = (answer: string): unknown => jsonOf(jsonText(answer));

/** The members of a JSON object; none where the text is something else. */
export function membersOf(text: string): Record<string, unknown> {
  const value = jsonOf(text);
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

/** What a text is as JSON; undefined where it is none. */
export const jsonOf = (text: string): unknown => withFallback(undefined, isA(SyntaxError), () => JSON.parse(text));
