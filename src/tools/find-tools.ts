import type { McpFound, McpSearch } from "../io/mcp/spec.ts";
import { notedParts } from "../protocol/outcome.ts";
import { orFailure } from "./failure.ts";
import prompt from "./find-tools.md";
import { fields, optional, text } from "./input.ts";
import { type AnyTool, defineTool } from "./tool.ts";

const mostCharacters = 8_000;
const longestDescription = 1_500;
const mostNames = 40;

/** `servers`: the names that the prompt tells, fixed for the session. */
export const findTools = (servers: readonly string[]): AnyTool =>
  defineTool({
    name: "find_tools",
    prompt: `${prompt.trim()} Servers: ${servers.join(", ")}.`,
    input: fields({
      query: optional(text("", ["q", "search", "words", "name", "pattern"])),
      server: optional(text("", ["server_name"])),
    }),
    parse: ({ query = "", server = "" }) => ({ kind: "mcp", op: "find", server, what: query, input: null }),
    run({ server = "" }, grant) {
      return orFailure(grant, async () => {
        const { text: shown, notes } = told(await grant.mcp().find(), server);
        return { status: "done", parts: notedParts(shown, notes) };
      });
    },
  });

function told({ found, servers }: McpSearch, server: string): { text: string; notes: string[] } {
  const shown: string[] = [];
  let size = 0;
  for (const each of found) {
    const text = toolText(each);
    if (shown.length > 0 && size + text.length > mostCharacters) break;
    shown.push(text);
    size += text.length;
  }
  const rest = found.slice(shown.length).map(({ name }) => name);
  const unseen = servers.filter(({ name, tools }) => tools === undefined && (server === "" || name === server));
  const more = rest.length > mostNames ? `, and ${rest.length - mostNames} more` : "";
  return {
    text: shown.join("\n\n"),
    notes: [
      ...(found.length === 0 ? ["[no tool matches]"] : []),
      ...(rest.length === 0
        ? []
        : [`[also: ${rest.slice(0, mostNames).join(", ")}${more}; name one to see its arguments]`]),
      ...unseen.map(({ name }) => `[nobody has looked at ${name} yet: find_tools with "server": "${name}" starts it]`),
    ],
  };
}

function toolText({ name, description, inputSchema }: McpFound): string {
  const cut = description.length > longestDescription ? `${description.slice(0, longestDescription)}…` : description;
  return [name, cut.trim(), ...(inputSchema === undefined ? [] : [`arguments: ${JSON.stringify(inputSchema)}`])].join(
    "\n",
  );
}
