// Money: the priced bound of a call is checked before it is made, so that a limit is never overshot.
import { Fault } from "../../base/fault.ts";
import type { Arm } from "../../model/arms.ts";
import { boundOf, costOf, isFree, type Price } from "../../model/pricing.ts";
import { Exit } from "../../protocol/exit.ts";
import type { AssistantContent, Usage } from "../../protocol/message.ts";
import type { ModelRequest } from "../../protocol/request.ts";

/** Micro-dollars; undefined: no limit. */
export interface BudgetLimits {
  session: number | undefined;
  month: number | undefined;
}

export interface BudgetState {
  sessionSpent: number;
  monthSpent(): number;
}

/** Fewer tokens than this are not worth an answer. */
const leastAnswer = 512;

/** A cautious upper estimate: most texts have more. */
const bytesPerToken = 3;
const tokenBound = (bytes: number): number => Math.ceil(bytes / bytesPerToken);

/** Micro-dollars; null when the price is unknown. Where nobody says how many tokens it took, the most it can have cost. */
export function costOfAnswer(
  arm: Arm,
  request: ModelRequest,
  answer: { content: readonly AssistantContent[]; usage: Usage },
): number | null {
  if (!arm.price || answer.usage.input > 0) return costOf(answer.usage, arm.price);
  const output = answer.content.reduce((sum, block) => sum + bytesOf(block), 0);
  return boundOf(tokenBound(requestBytes(request)), tokenBound(output), arm.price);
}

/**
 * The output tokens that this call may use, or `refused` with the limit that stands in the way.
 * Faults (exit 2) when there is a limit and the arm's price is unknown: the key to set is named.
 */
export function allowCall(
  arm: Arm,
  request: ModelRequest,
  limits: BudgetLimits,
  state: BudgetState,
): { maxOutput: number } | { refused: string } {
  const maxOutput = Math.min(request.maxOutputTokens, arm.maxOutput);
  const price = limitedPrice(arm, limits);
  if (!price) return { maxOutput };
  const input = tokenBound(requestBytes(request));
  const left = remaining(limits, state);
  for (let output = maxOutput; output >= leastAnswer; output = Math.floor(output / 2)) {
    if (boundOf(input, output, price) <= left.micro) return { maxOutput: output };
  }
  return { refused: `the next call could exceed ${left.name}` };
}

/** The price that limits weigh; undefined when nothing is limited. Faults (exit 2) as `allowCall`. */
export function limitedPrice(arm: Arm, limits: BudgetLimits): Price | undefined {
  if (limits.session === undefined && limits.month === undefined) return undefined;
  if (arm.price) return isFree(arm.price) ? undefined : arm.price;
  throw new Fault(
    "budget.unknown-price",
    Exit.usage,
    `The price of ${arm.name} is unknown, so the budget cannot hold.`,
    `Set prices."${arm.name}".input and .output (USD per million tokens), or budget.session_limit_usd and budget.monthly_limit_usd to 0.`,
  );
}

function remaining(limits: BudgetLimits, state: BudgetState): { micro: number; name: string } {
  const session = (limits.session ?? Number.POSITIVE_INFINITY) - state.sessionSpent;
  const month = limits.month === undefined ? Number.POSITIVE_INFINITY : limits.month - state.monthSpent();
  return session <= month
    ? { micro: session, name: "the session's limit (budget.session_limit_usd, --max-cost)" }
    : { micro: month, name: "the month's limit (budget.monthly_limit_usd)" };
}

const measured = new WeakMap<object, number>();

/** No vendor counts one image as more; its bytes say nothing. */
const imageBytes = 8_000 * bytesPerToken;

function bytesOf(value: object): number {
  const known = measured.get(value);
  if (known !== undefined) return known;
  let images = 0;
  const text = JSON.stringify(value, (_name, item: unknown) => {
    if (!isImage(item)) return item;
    images += 1;
    return "";
  });
  const bytes = Buffer.byteLength(text) + images * imageBytes;
  measured.set(value, bytes);
  return bytes;
}

const isImage = (item: unknown): boolean =>
  typeof item === "object" && item !== null && "type" in item && item.type === "image" && "mime" in item;

/** Bytes of the request as JSON; messages never change once built, so each is measured once. */
function requestBytes(request: ModelRequest): number {
  let bytes = Buffer.byteLength(request.system);
  for (const tool of request.tools) bytes += bytesOf(tool);
  for (const message of request.messages) bytes += bytesOf(message);
  return bytes;
}
