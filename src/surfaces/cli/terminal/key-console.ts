// A terminal that tells every key: entry line, status and dialogs are drawn at the bottom and stay there.
import { emitKeypressEvents } from "node:readline";
import type { CliInput } from "../host/host.ts";
import type { Output } from "../host/output.ts";
import { safeText } from "../text/safe-text.ts";
import type { Look } from "../text/style.ts";
import { cutEnd, wrap } from "../text/width.ts";
import { Answering } from "./answering.ts";
import { attention, type Console, type ConsoleEvents, PrintedBodies, type Question } from "./console.ts";
import {
  edit,
  type Entry,
  emptyEntry,
  entryOf,
  entryText,
  History,
  insert,
  isOpen,
  type Key,
  moveLine,
} from "./editor.ts";
import { entryLines } from "./entry-lines.ts";
import { type Cursor, Screen } from "../host/screen.ts";

interface KeyConsoleParts {
  stdin: CliInput;
  out: Output;
  look: () => Look;
  size: () => { columns: number; rows: number };
  events: ConsoleEvents;
  env: Readonly<Record<string, string | undefined>>;
  /** Called when the terminal's size changes; the function that comes back ends it. */
  onResize(handler: () => void): () => void;
}

interface RawKey {
  name?: string;
  sequence?: string;
  ctrl?: boolean;
  meta?: boolean;
  shift?: boolean;
}

export class KeyConsole implements Console {
  readonly canRedraw = true;
  readonly #parts: KeyConsoleParts;
  readonly #screen: Screen;
  readonly #history = new History();
  #entry: Entry = emptyEntry;
  #pasted: string | undefined;
  #live: readonly string[] = [];
  #status = "";
  #options: readonly string[] = [];
  readonly #answering = new Answering({
    get: () => this.#entry,
    set: (entry) => this.#setEntry(entry),
    redraw: () => this.#redraw(),
  });
  readonly #bodies = new PrintedBodies();
  #closed = false;
  readonly #release: () => void;

  constructor(parts: KeyConsoleParts) {
    this.#parts = parts;
    this.#screen = new Screen(parts.out, parts.size);
    const { stdin, out } = parts;
    emitKeypressEvents(stdin);
    const onKey = (text: string | undefined, key: RawKey) => this.#key(text, key);
    const onEnd = () => parts.events.end();
    const offResize = parts.onResize(() => this.#redraw());
    stdin.setRawMode?.(true);
    stdin.on("keypress", onKey).on("end", onEnd).resume();
    out.write("\x1b[?2004h");
    this.#release = () => {
      offResize();
      stdin.removeListener("keypress", onKey);
      stdin.removeListener("end", onEnd);
      stdin.setRawMode?.(false);
      stdin.pause();
    };
  }

  get look(): Look {
    return this.#parts.look();
  }

  print(lines: readonly string[]): void {
    if (lines.length === 0) return;
    const { bottom, cursor } = this.#bottom();
    this.#screen.print(lines, bottom, cursor);
  }

  live(lines: readonly string[], status: string): void {
    const same =
      status === this.#status &&
      lines.length === this.#live.length &&
      lines.every((line, at) => line === this.#live[at]);
    this.#live = lines;
    this.#status = status;
    if (!same) this.#redraw();
  }

  choose(question: Question, signal: AbortSignal): Promise<string | undefined> {
    this.print(this.#bodies.once(question, this.look));
    return this.#answering.open({ question }, signal, question.follows === true);
  }

  ask(title: string, signal: AbortSignal, follows: boolean): Promise<string | undefined> {
    return this.#answering.open({ title }, signal, follows);
  }

  remember(entries: readonly string[]): void {
    this.#history.prepend(entries);
  }

  clearEntry(): boolean {
    const had = this.#entry.text !== "";
    this.#setEntry(emptyEntry);
    return had;
  }

  ring(): void {
    this.#parts.out.write(attention(this.#parts.env));
  }

  clearScreen(): void {
    this.#screen.clear();
    this.#redraw();
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#answering.close();
    this.#release();
    this.#screen.draw([], undefined);
    this.#parts.out.write("\x1b[?2004l\x1b[?25h");
    await this.#parts.out.flush();
  }

  #key(text: string | undefined, raw: RawKey): void {
    if (raw.name === "paste-start") this.#pasted = "";
    else if (raw.name === "paste-end") this.#endPaste();
    else if (this.#pasted !== undefined) this.#pasted += text ?? raw.sequence ?? "";
    else {
      const typed = text ?? "";
      this.#press({
        name: raw.name ?? typed,
        text: typed,
        ctrl: raw.ctrl === true,
        alt: raw.meta === true,
        shift: raw.shift === true,
      });
    }
  }

  #endPaste(): void {
    const pasted = safeText((this.#pasted ?? "").replace(/\r\n?/g, "\n")).replaceAll("\t", "    ");
    this.#pasted = undefined;
    this.#answering.pasted();
    this.#setEntry(insert(this.#entry, pasted));
  }

  #press(key: Key): void {
    if (key.ctrl && key.name === "c") {
      this.#parts.events.interrupt();
      return;
    }
    if (this.#answering.press(key)) return;
    if (!this.#command(key)) {
      const changed = edit(this.#entry, key);
      if (changed) this.#setEntry(changed);
    }
  }

  /** Keys that do more than edit; false for all others. */
  #command(key: Key): boolean {
    if (key.name === "return" && !key.alt) this.#enter();
    else if (key.name === "tab") this.#complete();
    else if (key.ctrl && key.name === "d" && this.#entry.text === "") this.#parts.events.end();
    else if (key.ctrl && key.name === "l") this.clearScreen();
    else if (key.name === "up" || (key.ctrl && key.name === "p")) this.#travel(-1);
    else if (key.name === "down" || (key.ctrl && key.name === "n")) this.#travel(1);
    else return false;
    return true;
  }

  #enter(): void {
    const { text } = this.#entry;
    if (isOpen(text)) {
      this.#setEntry(insert(entryOf(text), "\n"));
      return;
    }
    if (this.#answering.takesLine) {
      this.#answering.answer(text);
      return;
    }
    if (text.trim() === "") return;
    this.#history.add(text);
    this.#setEntry(emptyEntry);
    this.#parts.events.submit(entryText(text));
  }

  #travel(by: -1 | 1): void {
    const moved = moveLine(this.#entry, by);
    if (moved) {
      this.#setEntry(moved);
      return;
    }
    const text = by === -1 ? this.#history.back(this.#entry.text) : this.#history.forward();
    if (text !== undefined) this.#setEntry(entryOf(text));
  }

  #complete(): void {
    const { text, cursor } = this.#entry;
    void this.#parts.events.complete(text.slice(0, cursor)).then((found) => {
      if (!found || this.#entry.text !== text || this.#closed) return;
      const typed = text.slice(found.from, cursor);
      const options = found.options.map(({ value }) => value);
      const common = commonStart(options);
      const [only] = options;
      const word = options.length === 1 && only !== undefined ? `${only} ` : common;
      if (word.length > typed.length || options.length === 1)
        this.#entry = { text: text.slice(0, found.from) + word + text.slice(cursor), cursor: found.from + word.length };
      this.#options = options.length > 1 ? options : [];
      this.#redraw();
    });
  }

  #setEntry(entry: Entry): void {
    this.#entry = entry;
    this.#options = [];
    this.#redraw();
  }

  #redraw(): void {
    if (this.#closed) return;
    const { bottom, cursor } = this.#bottom();
    this.#screen.draw(bottom, cursor);
  }

  #bottom(): { bottom: string[]; cursor: Cursor | undefined } {
    if (this.#closed) return { bottom: [], cursor: undefined };
    const { look } = this;
    const above = [...fitHeight(this.#live, this.#parts.size().rows), ""];
    const before = [...above, ...this.#answering.lines(look)];
    const { symbols } = look.style;
    const mark = this.#answering.takesLine ? look.style.yellow("?") : look.style.cyan(symbols.prompt);
    const entry = entryLines(this.#entry, mark, look);
    const after = [...this.#optionLines(look), look.style.dim(cutEnd(this.#status, look.width - 1, symbols.ellipsis))];
    return {
      bottom: [...before, ...entry.lines, ...after],
      cursor: { row: before.length + entry.cursor.row, column: entry.cursor.column },
    };
  }

  #optionLines(look: Look): string[] {
    if (this.#options.length === 0) return [];
    return wrap(this.#options.slice(0, 24).join("  "), look.width - 2).map((line) => `  ${look.style.dim(line)}`);
  }
}

/** The end of what runs, so that the entry line stays in sight. */
const fitHeight = (lines: readonly string[], rows: number) => lines.slice(-Math.max(2, rows - 8));

function commonStart(options: readonly string[]): string {
  const [first = ""] = options;
  let length = first.length;
  for (const option of options) while (!option.startsWith(first.slice(0, length))) length--;
  return first.slice(0, length);
}
