// What a client can be asked for in the middle of a call, by what it has said of itself.
import type { ClientCapabilities } from "@modelcontextprotocol/server";
import type { Json } from "../../protocol/message.ts";

type Params = Readonly<Record<string, Json>>;

/** All that the protocol lets a server ask for. A mode or a part that a client has not named is not asked of it. */
const answerable: Readonly<Record<string, (can: ClientCapabilities, params: Params) => boolean>> = {
  // Naming neither mode means forms.
  "elicitation/create": ({ elicitation }, { mode }) =>
    mode === "url"
      ? elicitation?.url !== undefined
      : elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined),
  "sampling/createMessage": ({ sampling }, { tools, toolChoice }) =>
    sampling !== undefined && ((tools === undefined && toolChoice === undefined) || sampling.tools !== undefined),
  "roots/list": ({ roots }) => roots !== undefined,
};

/** False for what no client can be asked: the protocol would refuse the reply that asks it, and the call would wait. */
export function canAnswer(method: string, params: Json, can: ClientCapabilities | undefined): boolean {
  const given = typeof params === "object" && params !== null && !Array.isArray(params) ? params : undefined;
  const judge = Object.hasOwn(answerable, method) ? answerable[method] : undefined;
  return judge !== undefined && given !== undefined && can !== undefined && judge(can, given);
}
