import type { IndexPlace, IndexSymbol, IndexUses } from "../protocol/code-index.ts";
import { notedParts } from "../protocol/outcome.ts";
import { orFailure } from "./failure.ts";
import { fields, optional, text } from "./input.ts";
import { oneLine } from "./one-line.ts";
import prompt from "./symbols.md";
import { type AnyTool, defineTool, ToolInputError } from "./tool.ts";

/** What a model reads of a name: its definitions whole, of its uses as many as fit. */
const mostCharacters = 6_000;

/** `ask`: the code index of the workspace, brought up to date. */
export const symbolsTool = (ask: (asked: { name: string } | { path: string }) => Promise<IndexUses>): AnyTool =>
  defineTool({
    name: "symbols",
    prompt,
    input: fields({
      name: optional(text("", ["symbol", "query", "identifier"])),
      path: optional(text("", ["file", "file_path"])),
    }),
    parse({ name, path }) {
      if (!name?.trim() && !path?.trim()) throw new ToolInputError("say a name, or the path of a file.");
      return { kind: "search", path: ".", contents: true };
    },
    run({ name, path }, grant) {
      return orFailure(grant, async () => {
        const named = name?.trim();
        const asked = named ? { name: named } : { path: (path ?? "").trim().replace(/^\.\//, "") };
        const { definitions, implementations, references, more, about } = await ask(asked);
        const all = [
          ...(about ? neighbours(about) : []),
          ...definitions.map(defined),
          ...told("implemented by", implementations),
          ...told("used by", references),
        ];
        if (all.length === 0) return { status: "done", parts: notedParts("", ["The index knows nothing of it."]) };
        const lines = fitting(all);
        const cut = more || lines.length < all.length;
        return {
          status: "done",
          parts: notedParts(lines.join("\n"), cut ? ["There are more; grep finds them all."] : []),
        };
      });
    },
  });

const defined = ({ path, name, kind, line, end, within }: Omit<IndexSymbol, "score">): string =>
  `${oneLine(path)}:${line}-${end} ${kind} ${oneLine(within === "" ? name : `${within}.${name}`)}`;

const told = (title: string, places: readonly IndexPlace[]): string[] =>
  places.length === 0
    ? []
    : [`${title}:`, ...places.map(({ path, line, text: shown }) => `${oneLine(path)}:${line}: ${oneLine(shown)}`)];

const mostNamed = 20;

function neighbours({ summary, imports, importedBy, tests }: NonNullable<IndexUses["about"]>): string[] {
  const row = (title: string, paths: readonly string[]) =>
    paths.length === 0 ? [] : [`${title}: ${paths.slice(0, mostNamed).map(oneLine).join(", ")}`];
  const told = summary === "" ? [] : [oneLine(summary)];
  return [...told, ...row("imports", imports), ...row("imported by", importedBy), ...row("tested by", tests)];
}

function fitting(lines: readonly string[]): string[] {
  let size = 0;
  const until = lines.findIndex((line) => (size += line.length + 1) > mostCharacters);
  return until < 0 ? [...lines] : lines.slice(0, until);
}
