// Text that arrives in pieces, broken at spaces as it comes.
import type { Look } from "../text/style.ts";
import { textWidth } from "../text/width.ts";

/** The last word waits for its end. `code` between backticks is coloured where there are colours. */
export class TextFlow {
  readonly #look: Look;
  #held = "";
  #column = 0;
  #space = "";

  constructor(look: Look) {
    this.#look = look;
  }

  push(piece: string): string {
    const text = this.#held + piece;
    const cut = text.search(/\S*$/);
    this.#held = text.slice(cut);
    return this.#place(text.slice(0, cut));
  }

  end(): string {
    const rest = this.#place(this.#held);
    this.#held = "";
    this.#column = 0;
    this.#space = "";
    return rest;
  }

  #place(text: string): string {
    let placed = "";
    for (const token of text.match(/\n|[^\S\n]+|\S+/g) ?? []) {
      if (token === "\n") {
        placed += token;
        this.#column = 0;
        this.#space = "";
      } else if (token.trim() === "") this.#space = token;
      else placed += this.#word(token);
    }
    return placed;
  }

  #word(token: string): string {
    const { style, width } = this.#look;
    const word = style.colour ? token.replace(/`([^`]+)`/g, (_all, code: string) => style.cyan(code)) : token;
    const columns = textWidth(word);
    const breaks = this.#column > 0 && this.#column + this.#space.length + columns > width;
    const before = breaks ? "\n" : this.#space;
    this.#column = (breaks ? 0 : this.#column + this.#space.length) + columns;
    this.#space = "";
    return before + word;
  }
}
