// Requests of another agent to a server that fettle passes on: what each act stands for, what the agent is shown of the
// server's offers, and which call goes on with which.
import { digestOf } from "../../base/digest.ts";
import type { McpOffers } from "../../io/mcp/passing.ts";
import {
  type McpAction,
  McpFailure,
  type McpReply,
  type McpRequest,
  type McpTalk,
  type McpTool,
} from "../../io/mcp/spec.ts";
import type { Json } from "../../protocol/message.ts";
import { toolDigest } from "./definitions.ts";

type Params = McpRequest["params"];

export const unknownTool = (server: string, tool: string): McpFailure =>
  new McpFailure("mcp.unknown-tool", `The MCP server ${server} has no tool ${tool}.`);

/** Whoever made the call is spoken to as the protocol has it. */
export const silent: McpTalk = { progress: () => undefined, ask: async () => undefined };

const objectOf = (value: Json): Params =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};

/** Made from what was judged, and from nothing else. */
export function requestOf({ op, what, input, inputs }: McpAction): McpRequest {
  const more: Params = inputs === undefined ? {} : { inputResponses: inputs };
  switch (op) {
    case "call":
      return { method: "tools/call", params: { name: what, arguments: objectOf(input), ...more } };
    case "read":
      return { method: "resources/read", params: { uri: what, ...more } };
    case "prompt":
      return { method: "prompts/get", params: { name: what, arguments: objectOf(input), ...more } };
    case "complete":
      return { method: "completion/complete", params: objectOf(input) };
    case "subscribe":
    case "unsubscribe":
      return { method: `resources/${op}`, params: { uri: what } };
    default:
      throw new Error(`${op} is not passed on`);
  }
}

const unseen =
  "New since its server was pinned: fettle's gate asks before it is called, and shows what it says of itself.";

/** Of a tool that is not as it was pinned, what was pinned: the new words come in only after they were accepted. */
export function shownOffers(offers: McpOffers, now: ReadonlyMap<string, McpTool>, pinned: readonly McpTool[]): Json {
  const tools = offers.tools.map((tool) => {
    const name = String(objectOf(tool)["name"]);
    const current = now.get(name);
    const before = pinned.find((each) => each.name === name);
    if (!current || (before && toolDigest(before) === toolDigest(current))) return tool;
    if (!before) return { name, description: unseen, inputSchema: { type: "object" } };
    const { title, description, inputSchema } = before;
    return { name, ...(title !== undefined && { title }), description, inputSchema };
  });
  return { ...offers, tools };
}

const mostPaused = 200;

/** Calls in the middle of which the server has asked for something, by what was called and how. */
export class PausedCalls {
  readonly #digests = new Map<string, string>();

  note(action: McpAction, call: string, { whole }: McpReply): void {
    const result = objectOf(objectOf(whole ?? null)["result"] ?? null);
    if (result["resultType"] !== "input_required") return;
    this.#digests.set(call, sameCall(action));
    const [oldest] = this.#digests.keys();
    if (this.#digests.size > mostPaused && oldest !== undefined) this.#digests.delete(oldest);
  }

  /** Each is gone on with once. */
  continued(action: McpAction): boolean {
    return action.continues !== undefined && this.#digests.get(action.continues) === sameCall(action);
  }

  done({ continues }: McpAction): void {
    if (continues !== undefined) this.#digests.delete(continues);
  }
}

const sameCall = ({ op, server, what, input }: McpAction): string => digestOf({ op, server, what, input });
