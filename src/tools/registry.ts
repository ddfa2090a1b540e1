// The tools of a session: what the model is told of them, and the way from a call to an action.
import { anyError, withFallback } from "../base/fallback.ts";
import { nearest } from "../base/edit-distance.ts";
import { requireGrant } from "../guard/contract/sealed-grant.ts";
import type { Action } from "../protocol/action.ts";
import type { Json } from "../protocol/message.ts";
import type { ToolSpec } from "../protocol/request.ts";
import { claimOf, type Input } from "./input.ts";
import { type AnyTool, ToolInputError } from "./tool.ts";

/** `problem` is a sentence for the model. `claim` is its own word on why, when it gave one. */
type ParsedCall = { tool: AnyTool; input: unknown; action: Action; claim?: string } | { problem: string };

export interface Registry {
  /** In the order given, the same bytes in every session. */
  specs: ToolSpec[];
  /** `malformed`: the raw text of arguments that were no JSON. */
  parse(name: string, input: Json, malformed?: string): ParsedCall;
}

/** `unlisted` ones are told to no model: their calls come from fettle's own side of a conversation. */
export function createRegistry(tools: readonly AnyTool[], unlisted: readonly AnyTool[] = []): Registry {
  const byName = new Map([...tools, ...unlisted].map((tool) => [tool.name, withGrantCheck(tool)]));
  return {
    specs: specsOf(tools),
    parse(name, input, malformed) {
      const tool = byName.get(name);
      // Models call what they have found by its own name.
      if (!tool && byName.has("mcp") && /\w__\w/.test(name))
        return this.parse("mcp", { tool: name, arguments: input }, malformed);
      if (!tool)
        return {
          problem: unknownTool(
            name,
            tools.map((each) => each.name),
          ),
        };
      const expected = `Expected ${name} ${inputOf(tool).shape}.`;
      if (malformed !== undefined) return { problem: `${brokenArguments(name, malformed)} ${expected}` };
      const read = inputOf(tool).read(input);
      if ("problem" in read) return { problem: `${name}: ${read.problem}. ${expected}` };
      return toAction(tool, read.value, claimOf(input));
    },
  };
}

/** The same tool; its body refuses a grant that the fence has not made. */
const withGrantCheck = (tool: AnyTool): AnyTool => ({
  ...tool,
  run: async (input: never, grant, report) => tool.run(input, requireGrant(grant), report),
});

const inputOf = (tool: AnyTool): Input<unknown> => tool.input as Input<unknown>;

const known = new WeakMap<readonly AnyTool[], ToolSpec[]>();

/** The same list for the same tools: whoever has looked through it need not do so again. */
function specsOf(tools: readonly AnyTool[]): ToolSpec[] {
  const specs =
    known.get(tools) ??
    tools.map((tool) => ({ name: tool.name, description: tool.prompt.trim(), schema: inputOf(tool).schema }));
  known.set(tools, specs);
  return specs;
}

function toAction(tool: AnyTool, input: unknown, claim: string | undefined): ParsedCall {
  try {
    const action = (tool.parse as (input: unknown) => Action)(input);
    return { tool, input, action, ...(claim === undefined ? {} : { claim }) };
  } catch (error) {
    if (error instanceof ToolInputError) return { problem: `${tool.name}: ${error.message}` };
    throw error;
  }
}

const isJson = (text: string): boolean =>
  withFallback(false, anyError, () => {
    JSON.parse(text);
    return true;
  });

function brokenArguments(name: string, raw: string): string {
  if (raw.trim() === "") return `${name}: the arguments are empty.`;
  const end = raw.length > 60 ? `…${raw.slice(-60)}` : raw;
  return `${name}: the arguments are ${isJson(raw) ? "nested too deeply" : "not valid JSON"} (${raw.length} characters, ending in ${JSON.stringify(end)}); send the call again, whole.`;
}

/** What other harnesses call our tools. */
const foreignNames = new Map([
  ["bash", "shell"],
  ["cat", "read"],
  ["cmd", "shell"],
  ["create", "write"],
  ["exec", "shell"],
  ["find", "glob"],
  ["ls", "list"],
  ["patch", "apply_patch"],
  ["powershell", "shell"],
  ["replace", "edit"],
  ["run", "shell"],
  ["search", "grep"],
  ["terminal", "shell"],
  ["view", "read"],
  ["webfetch", "fetch"],
]);

function unknownTool(name: string, names: string[]): string {
  const near = meantTool(name, names);
  const hint = near === undefined ? "" : ` Did you mean ${near}?`;
  return `There is no tool "${name.slice(0, 80)}".${hint} The tools are: ${names.join(", ")}.`;
}

function meantTool(name: string, names: string[]): string | undefined {
  const plain = name.slice(0, 80).toLowerCase();
  const word = plain.split(/[^a-z]+/).find((part) => foreignNames.has(part) || names.includes(part));
  const known = word === undefined ? undefined : (foreignNames.get(word) ?? word);
  if (known !== undefined && names.includes(known)) return known;
  return nearest(plain, names, (each) => Math.max(2, each.length / 2));
}
