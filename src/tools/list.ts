import type { Grant } from "../guard/contract/grant.ts";
import type { Entry } from "../io/files/spec.ts";
import { notedParts } from "../protocol/outcome.ts";
import type { Result } from "../protocol/result.ts";
import { orFailure } from "./failure.ts";
import { oneLine } from "./one-line.ts";
import { fields, folder } from "./input.ts";
import prompt from "./list.md";
import { sizeText } from "./sizes.ts";
import { defineTool } from "./tool.ts";

const mostEntries = 400;

export const list = defineTool({
  name: "list",
  prompt,
  input: fields({ path: folder() }),
  parse: ({ path }) => ({ kind: "search", path: path ?? ".", contents: false }),
  run: ({ path }, grant) => listFolder(path ?? ".", grant),
});

export function listFolder(folder: string, grant: Grant): Promise<Result> {
  return orFailure(grant, async () => {
    const entries = [...(await grant.files.list(folder))].sort(byKindAndName);
    if (entries.length === 0) return { status: "done", parts: notedParts("", ["(empty folder)"]) };
    const lines = entries.slice(0, mostEntries).map(entryLine);
    const left = entries.length - lines.length;
    const note = left > 0 ? [`[${left} more entries; find them by a pattern]`] : [];
    return { status: "done", parts: notedParts(lines.join("\n"), note) };
  });
}

const rank = (entry: Entry) => (entry.kind === "folder" ? 0 : 1);
const byKindAndName = (left: Entry, right: Entry) =>
  rank(left) - rank(right) || (left.name < right.name ? -1 : left.name > right.name ? 1 : 0);

function entryLine({ name, kind, size }: Entry): string {
  const shown = oneLine(name);
  if (kind === "folder") return `${shown}/`;
  return kind === "file" ? `${shown}  ${sizeText(size)}` : `${shown}  (${kind})`;
}
