import type { Event } from "../../../protocol/event.ts";
import { SafeStream } from "../text/safe-text.ts";
import { textIn } from "../../../base/text-in.ts";

/**
 * The assistant's text of one round, each piece once: deltas may be dropped, so the round's end brings what is missing.
 */
export class AnswerText {
  readonly #safe = new SafeStream();
  #seen = "";

  /** The text that the event adds. */
  follow(event: Event): string {
    if (event.type === "round.started") this.#seen = "";
    if (event.type === "text.delta") {
      this.#seen += event.text;
      return this.#safe.push(event.text);
    }
    if (event.type !== "round.ended") return "";
    const whole = textIn(event.content);
    const missing = whole.startsWith(this.#seen) ? whole.slice(this.#seen.length) : this.#seen === "" ? whole : "";
    this.#seen = "";
    return this.#safe.push(missing) + this.#safe.end();
  }
}
