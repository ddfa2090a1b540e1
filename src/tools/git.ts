import { fields, type Reading, texts } from "./input.ts";
import prompt from "./git.md";
import { processResult } from "./process-result.ts";
import { defineTool, ToolInputError } from "./tool.ts";

const subcommands = [
  "status",
  "diff",
  "log",
  "show",
  "add",
  "commit",
  "branch",
  "stash",
  "restore",
  "ls-files",
  "rev-parse",
  "blame",
];

export const git = defineTool({
  name: "git",
  prompt,
  input: fields({ args: { ...texts("", words), aliases: ["command", "argv", "arguments", "subcommand"] } }),
  parse({ args }) {
    const given = args[0] === "git" ? args.slice(1) : args;
    const [subcommand = ""] = given;
    if (!subcommands.includes(subcommand)) {
      const what = subcommand === "" ? "the subcommand is missing" : `"${subcommand}" is not offered here`;
      throw new ToolInputError(`${what}; the subcommands are ${subcommands.join(", ")}. For others use shell.`);
    }
    if (given.some((arg) => arg.includes("\0"))) throw new ToolInputError("an argument contains a NUL character.");
    return { kind: "program", argv: ["git", ...given] };
  },
  async run(_input, grant, report) {
    return processResult(await grant.process.run((text) => report.output(text)));
  },
});

/** A line into words, with quotes as a person means them; nothing is expanded and no shell is asked. */
function words(line: string): Reading<string[]> {
  const found: string[] = [];
  const token = /\s*((?:[^\s"'\\]|\\[\s\S]|"(?:[^"\\]|\\[\s\S])*"|'[^']*')+)/y;
  const text = line.trim();
  while (token.lastIndex < text.length) {
    const at = token.lastIndex;
    const match = token.exec(text);
    if (!match)
      return { problem: `has an open quote near ${JSON.stringify(text.slice(at, at + 40))}; send a list of strings` };
    found.push((match[1] ?? "").replace(/\\([\s\S])|"((?:[^"\\]|\\[\s\S])*)"|'([^']*)'/g, plainText));
  }
  return { value: found };
}

function plainText(_all: string, escaped?: string, double?: string, single?: string): string {
  return escaped ?? double?.replace(/\\(["\\$`])/g, "$1") ?? single ?? "";
}
