/** What the text mentions by `@name`; `@"name with spaces"` too. */
export function mentionsOf(text: string): string[] {
  const found = [...text.matchAll(/(?:^|[\s(])@(?:"([^"\n]+)"|([^\s"'`]+))/g)];
  const names = found.map((match) => match[1] ?? (match[2] ?? "").replace(/[,;:.!?)]+$/, ""));
  return [...new Set(names.filter((name) => name !== ""))];
}
