// A custom command as its file says it: Markdown as Claude Code, Codex and opencode have it, or TOML as Gemini CLI has it.
import path from "node:path";
import { splitFrontMatter } from "../markdown/front-matter.ts";
import { type Template, templateOf, type Dialect } from "./template.ts";

export interface CommandHead {
  name: string;
  description: string;
  hint?: string;
  model?: string;
  notes: string[];
  template: Template;
}

/** What has no effect here says why. */
export const commandFields: Readonly<Record<string, string | true>> = {
  description: true,
  "argument-hint": true,
  model: true,
  prompt: true,
  "allowed-tools": "nothing is allowed by a file: the gate judges each call",
  "disable-model-invocation": "only a person uses a command",
  "disallowed-tools": "a command takes no tool away",
  agent: "a command is used in the conversation that asks for it",
  subtask: "a command is used in the conversation that asks for it",
  context: "a command is used in the conversation that asks for it",
  hooks: "hooks stand in settings, where they are listed and need trust",
};

const namePattern = /^[\p{L}\p{N}_][\p{L}\p{N}_:.-]{0,63}$/u;

/** `git/commit.md` is `git:commit`. */
export const nameOf = (place: string, root: string): string =>
  path
    .relative(root, place)
    .replace(/\.(md|toml)$/, "")
    .split(path.sep)
    .join(":")
    .normalize("NFKC")
    .toLowerCase();

const dialectOf = (place: string, root: string): Dialect =>
  place.endsWith(".toml") ? "gemini" : root.endsWith(`${path.sep}prompts`) ? "codex" : "claude";

/** `tables` reads TOML; throws for what is none. */
export async function readCommand(
  text: string,
  { place, root }: { place: string; root: string },
  tables: (text: string) => unknown,
): Promise<CommandHead | { problem: string }> {
  const name = nameOf(place, root);
  if (!namePattern.test(name))
    return { problem: `has the name ${JSON.stringify(name.slice(0, 70))}: letters, digits, - _ and . make one` };
  const dialect = dialectOf(place, root);
  const headed = dialect === "gemini" ? fromToml(text, tables) : await fromMarkdown(text);
  if ("problem" in headed) return headed;
  const { head, body } = headed;
  if (body.trim() === "") return { problem: "says nothing" };
  const wrong = ["description", "argument-hint", "model"].find(
    (key) =>
      head[key] !== undefined &&
      head[key] !== null &&
      (typeof head[key] === "object") !== (key === "argument-hint" && Array.isArray(head[key])),
  );
  if (wrong !== undefined) return { problem: `has a ${wrong} that is no text` };
  const said = (key: string) => (head[key] === undefined || head[key] === null ? "" : String(head[key]).trim());
  const [hint, model] = [
    Array.isArray(head["argument-hint"]) ? `[${said("argument-hint")}]` : said("argument-hint"),
    said("model"),
  ];
  const notes = Object.keys(head).flatMap((key) => {
    const effect = Object.hasOwn(commandFields, key) ? commandFields[key] : "fettle does not know it";
    return effect === true ? [] : [`${key} has no effect: ${effect}`];
  });
  return {
    ...{ name, notes, template: templateOf(body.trim(), dialect) },
    description: said("description") || (body.trim().split("\n", 1)[0] ?? "").replace(/^#+\s*/, ""),
    ...(hint !== "" && { hint }),
    ...(model !== "" && model !== "inherit" && { model }),
  };
}

type Read = { head: { [key: string]: unknown }; body: string } | { problem: string };

/** A command may be nothing but its text. */
async function fromMarkdown(text: string): Promise<Read> {
  if (!/^\uFEFF?---[ \t]*\r?\n/.test(text)) return { head: {}, body: text };
  return splitFrontMatter(text);
}

function fromToml(text: string, tables: (text: string) => unknown): Read {
  try {
    const head = { ...(tables(text) as object) } as { [key: string]: unknown };
    const { prompt } = head;
    return typeof prompt === "string" ? { head, body: prompt } : { problem: "has no prompt that is text" };
  } catch (error) {
    const why = error instanceof Error ? (error.message.split("\n", 1)[0] ?? "") : String(error);
    return { problem: `is no TOML: ${why}` };
  }
}
