/** The JSON text of a model's answer: bare, or what its only code fence holds. */
export function jsonText(answer: string): string {
  const fenced = /^[^{[]*```(?:json)?\s*\n([\s\S]*?)\n```\s*$/.exec(answer.trim());
  return (fenced?.[1] ?? answer).trim();
}

/** What a model's answer is as JSON; undefined where it is none. */
export const answerJson = (answer: string): unknown => jsonOf(jsonText(answer));

/** The members of a JSON object; none where the text is something else. */
export function membersOf(text: string): Record<string, unknown> {
  const value = jsonOf(text);
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

/** What a text is as JSON; undefined where it is none. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
