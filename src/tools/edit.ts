import { editText } from "../base/edit-text.ts";
import { countChange } from "../base/line-match.ts";
import { textResult } from "../protocol/outcome.ts";
import prompt from "./edit.md";
import { orFailure } from "./failure.ts";
import { fileText } from "./file-text.ts";
import { oneLine } from "./glob.ts";
import { fields, flag, path, text } from "./input.ts";
import { defineTool, ToolProblem } from "./tool.ts";

export const edit = defineTool({
  name: "edit",
  prompt,
  input: fields({
    path: path(),
    old_string: text("", ["oldString", "old_str", "old_text", "oldText", "old", "search"]),
    new_string: text("", ["newString", "new_str", "new_text", "newText", "new", "replace"]),
    replace_all: flag("", ["replaceAll", "all"]),
  }),
  parse({ path, old_string, new_string, replace_all }) {
    const replacement = { old: old_string, new: new_string, ...(replace_all ? { all: true } : {}) };
    return { kind: "change", changes: [{ op: "edit", path, edits: [replacement] }] };
  },
  run({ path, old_string, new_string, replace_all }, grant) {
    return orFailure(grant, async () => {
      const file = await fileText(grant, path);
      const replacement = { old: file.enter(old_string), new: file.enter(new_string), all: replace_all };
      const outcome = editText(file.text, [replacement]);
      if ("problem" in outcome)
        throw new ToolProblem("edit.no-fit", `${oneLine(path)}: ${outcome.problem}`, outcome.excerpt);
      await grant.files.write(path, file.leave(outcome.text));
      const { added, removed } = countChange(file.text, outcome.text);
      return textResult(`Edited ${oneLine(path)}: +${added} −${removed}.`);
    });
  },
});
