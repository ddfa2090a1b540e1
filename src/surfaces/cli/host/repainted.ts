// The bottom of a terminal that is only written to: finished lines scroll away above, a few lines below them are drawn anew.
import type { Output } from "./output.ts";
import { textWidth } from "../text/width.ts";

export class Repainted {
  readonly #out: Output;
  readonly #size: () => { columns: number; rows: number };
  #drawn: readonly string[] = [];

  constructor(out: Output, size: () => { columns: number; rows: number }) {
    this.#out = out;
    this.#size = size;
  }

  /** Every line of `lines` fits the terminal's width; what does not fit its height is left out at the top. */
  draw(lines: readonly string[], finished: readonly string[] = []): void {
    const shown = lines.slice(-Math.max(1, this.#size().rows - 1));
    this.#out.write(`\x1b[?25l${this.#erase()}${finished.map((line) => `${line}\n`).join("")}${shown.join("\n")}`);
    this.#drawn = shown;
  }

  /**
   * The width may have changed since: a line that now wraps takes more rows. The first row is cleared by itself: some
   * terminals keep what is erased from their first row on as history.
   */
  #erase(): string {
    const { columns } = this.#size();
    const rows = this.#drawn.reduce((sum, line) => sum + Math.max(1, Math.ceil(textWidth(line) / columns)), 0);
    const above = rows > 1 ? `\x1b[${rows - 1}A` : "";
    return `\r${above}\x1b[2K${above === "" ? "" : "\x1b[B\x1b[J\x1b[A"}`;
  }
}
