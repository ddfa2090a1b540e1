// Tells when a provider's prompt cache has stopped hitting: from one call to the next a conversation costs many times more.
import type { Usage } from "../../protocol/message.ts";

/** One call of a session, in order. */
interface CachedCall {
  /** ms. */
  at: number;
  model: string;
  usage: Usage;
  /** Changes when the instructions or the list of tools do; asked for when it matters. */
  prefix(): string;
}

/** A prefix below this is not worth a notice. */
const leastInput = 2_000;
const misses = 3;
/** Providers keep a prefix about as long. */
const keptMs = 5 * 60_000;

export class CacheWatch {
  /** Models that have reported hits in this session. */
  readonly #hitting = new Set<string>();
  readonly #told = new Set<string>();
  #missed: CachedCall[] = [];
  #last: CachedCall | undefined;
  #before: CachedCall | undefined;

  /** A sentence for the person, once per model and streak of misses. */
  sees(call: CachedCall): string | undefined {
    const { model, usage } = call;
    if (usage.input === 0) return undefined;
    const before = this.#last;
    this.#last = call;
    if (before?.model !== model) this.#missed = [];
    if (usage.cacheRead >= usage.input / 50) {
      this.#hitting.add(model);
      this.#told.delete(model);
      this.#missed = [];
      return undefined;
    }
    if (!this.#hitting.has(model) || usage.input <= leastInput) return undefined;
    if (this.#missed.length === 0) this.#before = before;
    this.#missed.push(call);
    if (this.#missed.length < misses || this.#told.has(model)) return undefined;
    this.#told.add(model);
    return `The prompt cache of ${model} has not hit for ${misses} calls, so each pays its whole input again: ${this.#reason()}.`;
  }

  #reason(): string {
    const [first] = this.#missed;
    const last = this.#before;
    if (!first || !last) return "the provider does not say why";
    const calls = [last, ...this.#missed];
    if (new Set(calls.map((each) => each.prefix())).size > 1)
      return "the instructions or the tools change from call to call";
    const waits = calls.slice(1).map((each, index) => each.at - (calls[index]?.at ?? each.at));
    if (waits.every((ms) => ms > keptMs)) return "the calls are more than five minutes apart, longer than it is kept";
    if (last.model !== first.model) return `the model was changed from ${last.model}`;
    if (first.usage.input < last.usage.input) return "the conversation was shortened, and begins differently now";
    return "the provider no longer keeps it, or spreads the calls over servers that do not share it";
  }
}
