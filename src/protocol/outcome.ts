// Makers of a Result without its schemas, which cost a young process 40 ms to load.
// Typed without result.ts, so that it can pass them on.

export const textResult = <More extends object>(text: string, more?: More) => ({
  status: "done" as const,
  parts: [{ type: "text" as const, text }],
  ...more,
});
/** What came from the world, and behind it fettle's own notes, which no data can forge: a part each. */
export function notedParts(text: string, notes: readonly string[]) {
  const data = text === "" ? [] : [{ type: "text" as const, text }];
  return notes.length === 0 ? data : [...data, { type: "text" as const, text: notes.join("\n"), note: true }];
}
export const failure = <More extends object>(code: string, text: string, more?: More) => ({
  status: "failed" as const,
  code,
  parts: [{ type: "text" as const, text }],
  ...more,
});
