import { countChange, splitLines } from "../base/line-match.ts";
import { type Grant, GrantError } from "../guard/contract/grant.ts";
import { textResult } from "../protocol/outcome.ts";
import { isMissing, machineProblem, orFailure } from "./failure.ts";
import { oneLine } from "./one-line.ts";
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
      return textResult(`Wrote ${oneLine(path)}: ${changeText(before, content)}.`);
    });
  },
});

const mostCountedBytes = 2_000_000;

type Earlier = { text: string } | "missing" | "unknown";

/** For the count only: a file that may be written but not read is no failure here. */
async function earlierText(grant: Grant, path: string): Promise<Earlier> {
  try {
    const { bytes, size } = await grant.files.read(path, { limit: mostCountedBytes });
    if (size > bytes.length) return "unknown";
    return { text: new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes) };
  } catch (error) {
    if (isMissing(error)) return "missing";
    if (error instanceof GrantError || machineProblem(error, grant)) return "unknown";
    throw error;
  }
}

function changeText(before: Earlier, content: string): string {
  const lines = plural(splitLines(content).length, "line");
  if (before === "missing") return `${lines}, new file`;
  if (before === "unknown") return lines;
  if (before.text === content) return "nothing changed";
  const { added, removed } = countChange(before.text, content);
  return `+${added} −${removed}`;
}
