// What was typed while the agent works, and has not joined the conversation yet.
import { safeLine } from "../text/safe-text.ts";
import type { Look } from "../text/style.ts";
import { cutEnd } from "../text/width.ts";
import { interactive as words } from "../words/interactive.ts";
import type { Event } from "../../../protocol/event.ts";
import { textIn } from "../../../base/text-in.ts";

const shown = 5;

export class WaitingPrompts {
  #texts: string[] = [];

  add(text: string): void {
    this.#texts.push(text);
  }

  get size(): number {
    return this.#texts.length;
  }

  /** The last one, which waits no longer. */
  takenBack(): string {
    return this.#texts.pop() ?? "";
  }

  /** What has joined, or has begun a turn, waits no longer. */
  follow(event: Event): void {
    if (event.type !== "prompt.joined" && event.type !== "turn.started") return;
    const text = textIn(event.prompt, "\n");
    const at = this.#texts.findIndex((each) => text.startsWith(each));
    if (at !== -1) this.#texts.splice(at, 1);
  }

  /** All of them, oldest first, which then wait no longer. */
  drop(): string[] {
    return this.#texts.splice(0);
  }

  lines({ style, width }: Look): string[] {
    if (this.#texts.length === 0) return [];
    const rows = this.#texts.slice(-shown).map((text) => {
      const line = cutEnd(safeLine(text.slice(0, 500)), width - 3, style.symbols.ellipsis);
      return style.dim(`${style.symbols.prompt} ${line}`);
    });
    return ["", style.dim(words.waitingPrompts(this.#texts.length)), ...rows];
  }
}
