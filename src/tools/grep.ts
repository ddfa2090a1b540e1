import type { GrepMatch } from "../io/files/spec.ts";
import { notedParts } from "../protocol/outcome.ts";
import type { Result } from "../protocol/result.ts";
import { orFailure } from "./failure.ts";
import { oneLine } from "./one-line.ts";
import prompt from "./grep.md";
import { fields, flag, folder, optional, text, untold, whole } from "./input.ts";
import { plural } from "./sizes.ts";
import { defineTool } from "./tool.ts";

const mostMatches = 100;
const mostContext = 20;
const mostCharacters = 20_000;
const mostLineCharacters = 300;

export const grep = defineTool({
  name: "grep",
  prompt,
  input: fields({
    pattern: text("", ["query", "regex", "regexp", "search", "pattern_string"]),
    path: folder(),
    glob: optional(text("", ["include", "file_pattern", "glob_pattern", "filter"])),
    ignore_case: untold(flag("", ["ignoreCase", "case_insensitive", "caseInsensitive", "-i", "i"])),
    literal: untold(flag("", ["fixed", "fixed_strings", "-F"])),
    context: optional(whole("", 0, ["context_lines", "-C", "C"])),
  }),
  parse: ({ path }) => ({ kind: "search", path: path ?? ".", contents: true }),
  run({ pattern, path, glob, ignore_case, literal, context }, grant) {
    return orFailure(grant, async () => {
      const found = await grant.files.grep({
        path: path ?? ".",
        pattern,
        fixed: literal ?? false,
        ignoreCase: ignore_case ?? false,
        ...(glob === undefined || glob === "" ? {} : { glob }),
        context: Math.min(context ?? 0, mostContext),
        limit: mostMatches,
      });
      return matchResult(found.matches, found.more);
    });
  },
});

/** Grouped by file; `12:` a match, `13-` a line around it, `--` a gap. */
function matchResult(matches: readonly GrepMatch[], more: boolean): Result {
  if (matches.length === 0) return { status: "done", parts: notedParts("", ["No line matches."]) };
  const blocks: string[] = [];
  let size = 0;
  let shown = 0;
  let before: GrepMatch | undefined;
  for (const match of matches) {
    const line = heading(match, before) + `${match.line}${match.hit ? ":" : "-"}${shortLine(match.text)}`;
    if (size + line.length > mostCharacters) break;
    blocks.push(line);
    size += line.length + 1;
    if (match.hit) shown += 1;
    before = match;
  }
  const cut = more || blocks.length < matches.length;
  const note = cut
    ? [`[the first ${plural(shown, "match").replace(/hs$/, "hes")}; narrow the pattern or the path for the rest]`]
    : [];
  return { status: "done", parts: notedParts(blocks.join("\n"), note) };
}

function heading(match: GrepMatch, before: GrepMatch | undefined): string {
  if (before?.path !== match.path) return `${oneLine(match.path)}\n`;
  const gap = match.line > before.line + 1 && !(match.hit && before.hit);
  return gap ? "--\n" : "";
}

function shortLine(line: string): string {
  const text = line.replace(/\r?\n?$/, "");
  return text.length > mostLineCharacters ? `${text.slice(0, mostLineCharacters)} … [${text.length} characters]` : text;
}
