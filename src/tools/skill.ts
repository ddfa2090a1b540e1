import { failure, textResult } from "../protocol/outcome.ts";
import { fields, optional, text } from "./input.ts";
import prompt from "./skill.md";
import { type AnyTool, defineTool } from "./tool.ts";

/** What the person, or a repository that they trust, has put down for a kind of work. */
export interface SkillShelf {
  /** A line for each. */
  outline: string;
  /** The text of SKILL.md, or of a file beside it. `problem`: a sentence for the model. */
  use(name: string, file: string | undefined): Promise<{ text: string } | { problem: string }>;
}

/** What it says counts as instruction: only what a person has written or trusted lies on the shelf. */
export const skillTool = (shelf: SkillShelf): AnyTool =>
  defineTool({
    name: "skill",
    prompt: `${prompt.trim()}\n${shelf.outline}`,
    input: fields({
      name: text("", ["skill", "skill_name", "command", "query"]),
      file: optional(text("", ["path", "resource"])),
    }),
    parse: () => ({ kind: "none" }),
    async run({ name, file }) {
      const found = await shelf.use(name.trim(), file?.trim() || undefined);
      return "problem" in found ? failure("skill.unknown", found.problem) : textResult(found.text);
    },
  });
