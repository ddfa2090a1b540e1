// The bottom of the terminal: permanent lines scroll away above, a few lines below them are drawn anew.
import type { Output } from "./output.ts";
import { textWidth } from "../text/width.ts";

export interface Cursor {
  row: number;
  column: number;
}

const hide = "\x1b[?25l";
const show = "\x1b[?25h";

export class Screen {
  readonly #out: Output;
  readonly #size: () => { columns: number; rows: number };
  #drawn: readonly string[] = [];
  #cursorRow = 0;

  constructor(out: Output, size: () => { columns: number; rows: number }) {
    this.#out = out;
    this.#size = size;
  }

  /** Every line of `lines` fits the terminal's width; what does not fit its height is left out at the top. */
  draw(lines: readonly string[], cursor: Cursor | undefined): void {
    this.#write("", lines, cursor);
  }

  print(permanent: readonly string[], lines: readonly string[], cursor: Cursor | undefined): void {
    this.#write(permanent.map((line) => `${line}\n`).join(""), lines, cursor);
  }

  clear(): void {
    this.#drawn = [];
    this.#cursorRow = 0;
    this.#out.write("\x1b[2J\x1b[3J\x1b[H");
  }

  #write(permanent: string, lines: readonly string[], cursor: Cursor | undefined): void {
    const { rows } = this.#size();
    const dropped = Math.max(0, lines.length - Math.max(1, rows - 1));
    const shown = lines.slice(dropped);
    const target = cursor && cursor.row >= dropped ? { ...cursor, row: cursor.row - dropped } : undefined;
    this.#out.write(hide + this.#erase() + permanent + this.#place(shown, target));
    this.#drawn = shown;
  }

  /**
   * The width may have changed since: a line that now wraps takes more rows. The first row is cleared by itself: some
   * terminals keep what is erased from their first row on as history.
   */
  #erase(): string {
    const { columns } = this.#size();
    const height = (line: string) => Math.max(1, Math.ceil(textWidth(line) / columns));
    const rows = (lines: readonly string[]) => lines.reduce((sum, line) => sum + height(line), 0);
    const above = rows(this.#drawn.slice(0, this.#cursorRow));
    const below = rows(this.#drawn) - 1;
    const rest = below > 0 ? "\x1b[B\x1b[J\x1b[A" : "";
    return `\r${above > 0 ? `\x1b[${above}A` : ""}\x1b[2K${rest}`;
  }

  #place(lines: readonly string[], cursor: Cursor | undefined): string {
    const last = Math.max(0, lines.length - 1);
    const row = cursor?.row ?? last;
    const up = last - row;
    this.#cursorRow = row;
    const move = `${up > 0 ? `\x1b[${up}A` : ""}\r${cursor && cursor.column > 0 ? `\x1b[${cursor.column}C` : ""}`;
    return lines.join("\n") + (cursor ? move + show : "");
  }
}
