// Texts that a server keeps for a person, which they name as /server:prompt with words behind it.
import { McpFailure, type McpPrompt } from "../../io/mcp/spec.ts";
import type { Json } from "../../protocol/message.ts";

/** Rejects with an McpFailure that names those that there are. */
export function promptNamed(server: string, prompts: readonly McpPrompt[], wanted: string): McpPrompt {
  const exact = prompts.find(({ name }) => name === wanted);
  const found = exact ?? prompts.find(({ name }) => name.toLowerCase() === wanted.toLowerCase());
  if (found) return found;
  const names = prompts.map(({ name }) => name).join(", ") || "none";
  throw new McpFailure("mcp.unknown-prompt", `The MCP server ${server} has no prompt ${wanted}; it has: ${names}.`);
}

/** `NAME=value` goes to that argument, the other words one by one to the rest; all that is left belongs to the last. */
export function promptArguments(
  server: string,
  { name, arguments: wanted }: McpPrompt,
  given: Json,
): Record<string, string> {
  const text = typeof given === "string" ? given.trim() : "";
  const words = text.match(/(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^\s"'])+/g) ?? [];
  const filled = new Map<string, string>();
  const rest: string[] = [];
  for (const word of words) {
    const [, key = "", value = ""] = /^([^=\s"']+)=([\s\S]*)$/.exec(word) ?? [];
    if (wanted.some((each) => each.name === key) && !filled.has(key)) filled.set(key, unquoted(value));
    else rest.push(word);
  }
  const open = wanted.filter((each) => !filled.has(each.name));
  for (const [at, each] of open.entries()) {
    const last = at === open.length - 1;
    const words = last ? rest.slice(at) : rest.slice(at, at + 1);
    if (words.length > 0) filled.set(each.name, words.length === 1 ? unquoted(words[0] ?? "") : words.join(" "));
  }
  const missing = wanted.filter((each) => each.required && !filled.has(each.name)).map((each) => each.name);
  if (missing.length === 0) return Object.fromEntries(filled);
  throw new McpFailure(
    "mcp.prompt-arguments",
    `/${server}:${name} needs ${missing.join(", ")}: ${hintOf({ arguments: wanted })}.`,
  );
}

/** `<topic> [length]` */
export const hintOf = ({ arguments: wanted }: Pick<McpPrompt, "arguments">): string =>
  wanted.map(({ name, required }) => (required ? `<${name}>` : `[${name}]`)).join(" ");

const unquoted = (word: string): string =>
  word.replace(/^"((?:[^"\\]|\\.)*)"$|^'([^']*)'$/, (_all, double?: string, single?: string) =>
    double === undefined ? (single ?? "") : double.replace(/\\(["\\])/g, "$1"),
  );
