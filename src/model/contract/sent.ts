// What of a request's sampling really went out: read from the body as it was sent, whatever was wanted.
import { scrubbed } from "../../guard/firewall/scrubbed.ts";
import type { Effort, Sent } from "../../protocol/effort.ts";
import type { Json } from "../../protocol/message.ts";
import type { ModelRequest } from "../../protocol/request.ts";
import type { Scrubbed } from "./provider.ts";

const noted = new WeakMap<ModelRequest, Sent>();

/** An adapter's word, with the body as it goes out; of several tries the last one counts. */
export function noteSent(request: ModelRequest, body: unknown): void {
  noted.set(request, sentOf(body, request.effort));
}

/** Undefined where nothing went out, or the provider has no sampling. */
export function sentWith(token: Scrubbed): Sent | undefined {
  const request = scrubbed.open(token);
  return request && noted.get(request);
}

type Body = Readonly<Record<string, unknown>>;

const limits = ["max_tokens", "max_completion_tokens", "max_output_tokens", "maxOutputTokens", "num_predict"];
/** The fields by which vendors are asked for reasoning. */
const reasons = [
  ...["reasoning", "reasoning_effort", "thinking", "output_config", "thinkingConfig", "think"],
  "chat_template_kwargs",
];

/** `wanted`: recorded only where a field that asks for reasoning is there. */
function sentOf(body: unknown, wanted: Effort | undefined): Sent {
  const whole = asBody(body);
  // Google and Ollama have a table of their own for it.
  const fields = { ...whole, ...asBody(whole["generationConfig"]), ...asBody(whole["options"]) };
  const maxOutputTokens = limits.map((name) => fields[name]).find((value) => typeof value === "number");
  const { temperature } = fields;
  const reasoning = Object.fromEntries(
    reasons.flatMap((name): [string, Json][] =>
      fields[name] === undefined || fields[name] === null ? [] : [[name, plain(fields[name])]],
    ),
  );
  const asked = Object.keys(reasoning).length > 0;
  return {
    ...(typeof maxOutputTokens === "number" && { maxOutputTokens }),
    ...(typeof temperature === "number" && { temperature }),
    ...(asked && { reasoning, ...(wanted && { effort: wanted }) }),
  };
}

const asBody = (value: unknown): Body => (typeof value === "object" && value !== null ? (value as Body) : {});

/** As JSON has it: without members that are undefined. */
const plain = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json;
