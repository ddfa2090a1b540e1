// What runs of other agents' programs cost: of those that tell their tokens only at the end, as far as their streams show;
// and of any before it has begun.
import type { Usage } from "../../protocol/message.ts";
import { noUsage } from "../../protocol/usage.ts";
import { costOf, type Price } from "../contract/pricing.ts";
import type { KnownProgram } from "../registry/command-line.ts";
import { likelyTokens } from "../contract/size.ts";
import type { AgentEvent } from "./events.ts";

/** Its reasoning, and the text of some calls, are not in the stream: no answer with a call is taken for shorter than this. */
const leastAnswer = 400;

interface Begun {
  program: Pick<KnownProgram, "promptTokens" | "unseenResult" | "longestResult">;
  price: Price;
  /** Characters of the prompt that it is given. */
  length: number;
  /** Tokens of the conversation that it takes up again. */
  before: number;
}

/**
 * A call of its model begins with the run, and whenever the last thing that it did has ended; it is taken to read all that
 * was there before it, and nothing of that from a cache.
 */
export class RunEstimate {
  readonly #begun: Begun;
  readonly #open = new Set<string>();
  #prompt: number;
  /** Characters that the model has written since. */
  #written = 0;
  /** Tokens that came of what it did since. */
  #results = 0;
  #ended: Usage = noUsage;
  #paid = 0;

  constructor(begun: Begun) {
    this.#begun = begun;
    this.#prompt = Math.max(begun.program.promptTokens, begun.before) + likelyTokens(begun.length);
  }

  /** Micro-dollars so far: of the call that is under way its prompt, and what has come of its answer. */
  get micro(): number {
    return this.#paid + this.#costOf(this.#underWay());
  }

  usage(): Usage {
    const { input, output } = this.#underWay();
    return { ...noUsage, input: this.#ended.input + input, output: this.#ended.output + output };
  }

  /** Tokens that the next prompt of the conversation begins with. */
  get context(): number {
    return this.#prompt + likelyTokens(this.#written) + this.#results;
  }

  hear(event: AgentEvent): void {
    switch (event.type) {
      case "said":
        this.#written += event.text.length;
        return;
      case "acted":
        if (this.#open.has(event.id)) return;
        this.#open.add(event.id);
        this.#written += event.length ?? event.text.length;
        return;
      case "acted.ended":
        if (this.#open.delete(event.id)) this.#came(event.length);
        return;
      default:
    }
  }

  #came(length: number | undefined): void {
    const { unseenResult, longestResult } = this.#begun.program;
    this.#results += length === undefined ? unseenResult : Math.min(likelyTokens(length), longestResult);
    if (this.#open.size > 0) return;
    const call = this.#underWay();
    const ended = { ...call, output: Math.max(leastAnswer, call.output) };
    this.#paid += this.#costOf(ended);
    this.#ended = { ...noUsage, input: this.#ended.input + ended.input, output: this.#ended.output + ended.output };
    this.#prompt = this.context;
    this.#written = 0;
    this.#results = 0;
  }

  #underWay(): Usage {
    return { ...noUsage, input: this.#prompt, output: likelyTokens(this.#written) };
  }

  #costOf(usage: Usage): number {
    return costOf(usage, this.#begun.price) ?? 0;
  }
}

/** Calls of a usual run: it looks, changes, checks and answers. */
const usualCalls = 5;

/** Micro-dollars of a run that does `tokens` of work, three of five of them read: its own prompt comes on top, once anew. */
export function expectedRun(
  { promptTokens }: Pick<KnownProgram, "promptTokens">,
  price: Price,
  tokens: number,
): number {
  const own = promptTokens * (price.input + (usualCalls - 1) * price.cacheRead);
  return Math.ceil(own + tokens * (0.6 * price.input + 0.4 * price.output));
}
