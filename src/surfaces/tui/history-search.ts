// Ctrl-R: earlier prompts, narrowed by what is typed.
import { type Component, fuzzyFilter, SelectList, type SelectListTheme } from "@earendil-works/pi-tui";
import type { Key } from "./key.ts";

const shown = 6;
const widest = 500;

interface SearchEvents {
  taken(text: string): void;
  closed(): void;
}

export class HistorySearch implements Component {
  readonly #entries: readonly string[];
  readonly #theme: SelectListTheme;
  readonly #events: SearchEvents;
  readonly #title: string;
  #query = "";
  #list: SelectList;

  /** Newest first. */
  constructor(entries: readonly string[], look: { theme: SelectListTheme; title: string }, events: SearchEvents) {
    this.#entries = [...new Set(entries)];
    this.#theme = look.theme;
    this.#title = look.title;
    this.#events = events;
    this.#list = this.#found();
  }

  /** Every key is the search's own while it is open. */
  press(key: Key, data: string): void {
    if (key.name === "escape" || (key.ctrl && key.name === "c")) this.#events.closed();
    else if (key.ctrl && key.name === "r") this.#list.handleInput("\x1b[B");
    else if (key.name === "return" || key.name === "up" || key.name === "down") this.#list.handleInput(data);
    else if (key.name === "backspace") this.#narrow([...this.#query].slice(0, -1).join(""));
    else if (key.text !== "" && !key.ctrl && !key.alt) this.#narrow(this.#query + key.text);
  }

  render(width: number): string[] {
    return [`${this.#title} ${this.#query}`, ...this.#list.render(width)];
  }

  invalidate(): void {
    this.#list.invalidate();
  }

  #narrow(query: string): void {
    this.#query = query;
    this.#list = this.#found();
  }

  #found(): SelectList {
    const found = fuzzyFilter([...this.#entries], this.#query, (entry) => entry);
    const items = found.map((entry) => ({ value: entry, label: entry.replace(/\s+/g, " ").slice(0, widest) }));
    const list = new SelectList(items, shown, this.#theme);
    list.onSelect = ({ value }) => this.#events.taken(value);
    return list;
  }
}
