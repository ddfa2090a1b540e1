// The checks that words name: the request, and the instructions for agents and contributors that a repository holds.
import type { Look } from "../../stacks/profile.ts";
import { checksIn, type Declared } from "./declared.ts";

/** The most telling first. */
const instructions = ["AGENTS.md", "CLAUDE.md", "GEMINI.md", ".github/copilot-instructions.md", "CONTRIBUTING.md"];
const longest = 64 * 1024;
const mostOfText = 8;

export async function instructedChecks({ files, text }: Pick<Look, "files" | "text">): Promise<Declared[]> {
  const found: Declared[] = [];
  for (const name of instructions) {
    const source = files.includes(name) ? ((await text(name)) ?? "").slice(0, longest) : "";
    found.push(...quotedChecks(source, name));
  }
  return found;
}

/** Only what is written as code: in a fenced block, or between backticks. One example of a single file is no suite. */
export function quotedChecks(text: string, from: string): Declared[] {
  const blocks = [...text.matchAll(/^```[^\n]*\n([^]*?)^```/gm)].map(([, block = ""]) => block);
  const inline = [...text.replaceAll(/^```[^]*?^```/gm, "").matchAll(/`([^`\n]+)`/g)].map(([, code = ""]) => code);
  const lines = [...blocks.flatMap((block) => block.split("\n")), ...inline].map((line) => line.replace(/^\$ /, ""));
  return lines
    .flatMap((line) => checksIn(line, from))
    .filter(({ command }) => !/\.\w+::|\/[^ ]+\.(?:[cm]?[jt]sx?|py|go|rs)\b/.test(command))
    .slice(0, mostOfText);
}
