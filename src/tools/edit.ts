import { editText } from "../base/edit-text.ts";
import type { TextEdit } from "../base/edits.ts";
import { countChange } from "../base/line-match.ts";
import { textResult } from "../protocol/outcome.ts";
import prompt from "./edit.md";
import { orFailure } from "./failure.ts";
import { fileText } from "./file-text.ts";
import { oneLine } from "./one-line.ts";
import { fields, flag, list, optional, path, text } from "./input.ts";
import { defineTool, ToolInputError, ToolProblem } from "./tool.ts";

const oldText = text("", ["oldString", "old_str", "old_text", "oldText", "old", "search"]);
const newText = text("", ["newString", "new_str", "new_text", "newText", "new", "replace"]);
const replaceAll = flag("", ["replaceAll", "all"]);
/** Its shape is told by the prompt: a schema would say the three names twice. */
const more = {
  ...list(fields({ old_string: oldText, new_string: newText, replace_all: replaceAll }), ["replacements"]),
  schema: { type: "array", items: { type: "object" } },
};

interface Given {
  old_string: string | undefined;
  new_string: string | undefined;
  replace_all: boolean | undefined;
  edits: { old_string: string; new_string: string; replace_all: boolean | undefined }[] | undefined;
}

/** The edit of the call itself and those of its list, in the order in which they are made. */
function editsOf({ old_string, new_string, replace_all, edits = [] }: Given): TextEdit[] {
  const replacement = (old: string, next: string, all?: boolean) => ({ old, new: next, ...(all ? { all: true } : {}) });
  const listed = edits.map((each) => replacement(each.old_string, each.new_string, each.replace_all));
  if (old_string !== undefined && new_string !== undefined)
    return [replacement(old_string, new_string, replace_all), ...listed];
  if (old_string !== undefined || new_string !== undefined || listed.length === 0) {
    const missing = old_string === undefined ? "old_string" : "new_string";
    throw new ToolInputError(`"${missing}" is missing; send old_string and new_string, or edits.`);
  }
  return listed;
}

export const edit = defineTool({
  name: "edit",
  prompt,
  input: fields({
    path: path(),
    old_string: optional(oldText),
    new_string: optional(newText),
    replace_all: replaceAll,
    edits: optional(more),
  }),
  parse: (given) => ({ kind: "change", changes: [{ op: "edit", path: given.path, edits: editsOf(given) }] }),
  run(given, grant) {
    const { path } = given;
    return orFailure(grant, async () => {
      const file = await fileText(grant, path);
      const edits = editsOf(given).map((each) => ({ ...each, old: file.enter(each.old), new: file.enter(each.new) }));
      const outcome = editText(file.text, edits);
      if ("problem" in outcome)
        throw new ToolProblem("edit.no-fit", `${oneLine(path)}: ${outcome.problem}`, outcome.excerpt);
      await grant.files.write(path, file.leave(outcome.text));
      const { added, removed } = countChange(file.text, outcome.text);
      const made = `Edited ${oneLine(path)}: +${added} −${removed}.`;
      if (!outcome.left) return textResult(made);
      const problems = outcome.left.map(({ problem }) => problem).join(" ");
      const { parts } = textResult(`${made} Not made, send only these again: ${problems}`);
      const excerpts = outcome.left.flatMap(({ excerpt }) =>
        excerpt ? [{ type: "text" as const, text: excerpt }] : [],
      );
      return { status: "done", code: "edit.part", parts: [...parts, ...excerpts] };
    });
  },
});
