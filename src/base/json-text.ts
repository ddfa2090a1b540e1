/** The JSON text of a model's answer: bare, or what its only code fence holds. */
export function jsonText(answer: string): string {
  const fenced = /^[^{[]*```(?:json)?\s*\n([\s\S]*?)\n```\s*$/.exec(answer.trim());
  return (fenced?.[1] ?? answer).trim();
}
