// A request of another agent to an MCP server that fettle passes on. No model is told of it: it comes by the command `mcp.pass`.
import type { ActionOf } from "../protocol/action.ts";
import type { Json } from "../protocol/message.ts";
import { orFailure } from "./failure.ts";
import type { Input } from "./input.ts";
import { replyResult } from "./mcp.ts";
import { defineTool, ToolInputError } from "./tool.ts";

interface Passed {
  server: string;
  method: string;
  params: { [name: string]: Json };
  can: Json;
  level?: string;
  inputs?: Json;
  state?: string;
  continues?: string;
}

export const passedName = "mcp_pass";

type Act = Pick<ActionOf<"mcp">, "op" | "what" | "input">;

const textOf = (value: Json | undefined): string => (typeof value === "string" ? value : "");

/** What each method of the protocol comes to; of the rest nothing is passed on. */
const acts: Readonly<Record<string, (params: Passed["params"]) => Act>> = {
  list: () => ({ op: "list", what: "", input: null }),
  "tools/call": ({ name, arguments: input = {} }) => ({ op: "call", what: textOf(name), input }),
  "resources/read": ({ uri }) => ({ op: "read", what: textOf(uri), input: null }),
  "prompts/get": ({ name, arguments: input = {} }) => ({ op: "prompt", what: textOf(name), input }),
  "completion/complete": ({ ref = null, argument = null, context = null }) => ({
    ...{ op: "complete", what: named(ref) },
    input: { ref, argument, ...(context !== null && { context }) },
  }),
  "resources/subscribe": ({ uri }) => ({ op: "subscribe", what: textOf(uri), input: null }),
  "resources/unsubscribe": ({ uri }) => ({ op: "unsubscribe", what: textOf(uri), input: null }),
};

function named(ref: Json): string {
  if (typeof ref !== "object" || ref === null || Array.isArray(ref)) return "";
  return textOf(ref["name"] ?? ref["uri"]);
}

export const passed = defineTool<Passed>({
  name: passedName,
  prompt: "",
  // The command that it comes by has a schema.
  input: {
    schema: { type: "object" },
    shape: "a request",
    read: (value) => ({ value: value as unknown as Passed }),
  } satisfies Input<Passed>,
  parse({ server, method, params, inputs, continues }) {
    const act = Object.hasOwn(acts, method) ? acts[method]?.(params) : undefined;
    if (!act) throw new ToolInputError(`${JSON.stringify(method.slice(0, 80))} is not passed on.`);
    return {
      ...{ kind: "mcp", server, ...act },
      ...(inputs !== undefined && { inputs }),
      ...(continues !== undefined && { continues }),
    };
  },
  run({ can, level, state }, grant, { pass }) {
    if (!pass) throw new Error("a call is passed on only in a session that is served");
    const of = { can, ...(level !== undefined && { level }), ...(state !== undefined && { state }), ...pass };
    return orFailure(grant, async () => {
      const reply = await grant.mcp().pass(of);
      return { ...replyResult(reply), ...(reply.whole !== undefined && { whole: reply.whole }) };
    });
  },
});
