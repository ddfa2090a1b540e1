import { countChange, splitLines } from "../base/line-match.ts";
import type { Grant } from "../guard/grant.ts";
import { textResult } from "../protocol/result.ts";
import { isMissing, orFailure } from "./failure.ts";
import { fields, path, text } from "./input.ts";
import { plural } from "./sizes.ts";
import { defineTool } from "./tool.ts";
import prompt from "./write.md";

export const write = defineTool({
  name: "write",
  prompt,
  input: fields({ path: path(), content: text("", ["contents", "text", "file_text", "file_content"]) }),
  parse: ({ path, content }) => ({ kind: "change", changes: [{ op: "write", path, content }] }),
  run({ path, content }, grant) {
    return orFailure(grant, async () => {
      const before = await earlierText(grant, path);
      await grant.files.write(path, content);
      if (before === undefined)
        return textResult(`Wrote ${path}: ${plural(splitLines(content).length, "line")}, new file.`);
      if (before === content) return textResult(`Wrote ${path}: nothing changed.`);
      const { added, removed } = countChange(before, content);
      return textResult(`Wrote ${path}: +${added} −${removed}.`);
    });
  },
});

const mostCountedBytes = 2_000_000;

/** For the count only: what cannot be read counts as empty. Undefined when there is no file. */
async function earlierText(grant: Grant, path: string): Promise<string | undefined> {
  try {
    const { bytes } = await grant.files.read(path, { limit: mostCountedBytes });
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  } catch (error) {
    return isMissing(error) ? undefined : "";
  }
}
