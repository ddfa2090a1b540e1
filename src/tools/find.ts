import type { IndexAnswer } from "../protocol/code-index.ts";
import { notedParts } from "../protocol/outcome.ts";
import { orFailure } from "./failure.ts";
import prompt from "./find.md";
import { fields, text } from "./input.ts";
import { oneLine } from "./one-line.ts";
import { type AnyTool, defineTool } from "./tool.ts";

/** What a model reads of the best places: enough to open the right one. */
const mostCharacters = 6_000;
const mostSymbols = 3;

/** `ask`: the code index of the workspace, brought up to date. */
export const findTool = (ask: (query: string) => Promise<IndexAnswer>): AnyTool =>
  defineTool({
    name: "find",
    prompt,
    input: fields({ query: text("", ["question", "q", "search", "text", "pattern"]) }),
    parse: () => ({ kind: "search", path: ".", contents: true }),
    run({ query }, grant) {
      return orFailure(grant, async () => {
        const answer = await ask(query);
        const { building } = answer;
        const notes = building ? [`The index is being built: ${building.done} of ${building.all} files so far.`] : [];
        if (answer.files.length === 0) return { status: "done", parts: notedParts("", ["No file fits.", ...notes]) };
        return { status: "done", parts: notedParts(shown(answer), notes) };
      });
    },
  });

function shown({ files, symbols }: IndexAnswer): string {
  const blocks: string[] = [];
  let size = 0;
  for (const { path, line, words, lines } of files) {
    const own = symbols.filter((each) => each.path === path).slice(0, mostSymbols);
    const block = [
      `${oneLine(path)}${line === undefined ? "" : `:${line}`} (${words.slice(0, 4).join(", ")})`,
      ...own.map(({ name, kind, line: from, end, within }) => {
        const whole = within === "" ? name : `${within}.${name}`;
        return `  ${kind} ${oneLine(whole)} ${from}-${end}`;
      }),
      ...lines.map((each) => `  ${each.line}:${oneLine(each.text)}`),
    ].join("\n");
    if (size + block.length > mostCharacters) break;
    blocks.push(block);
    size += block.length + 1;
  }
  return blocks.join("\n");
}
