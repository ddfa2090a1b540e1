// A question on the screen: which line is its answer, and where the text goes that somebody was typing when it came.
import { choiceLines, choiceList } from "../render/approval.ts";
import type { Look } from "../text/style.ts";
import { cutEnd, wrap } from "../text/width.ts";
import { interactive as words } from "../words/interactive.ts";
import { choiceOf, nextQuestion, PrintedBodies, type Question } from "./console.ts";
import { type Entry, emptyEntry, entryOf, entryText, type Key } from "./editor.ts";

/** The entry line that the question shares with what the person types. */
interface EntryLine {
  get(): Entry;
  set(entry: Entry): void;
  redraw(): void;
}

interface Dialog {
  /** Of choices, answered by a letter and Enter. */
  question?: Question;
  /** Of words, answered by a line. */
  title?: string;
  /**
   * waiting: for a pause in typing. draft: there is text in the entry line, and only Enter sets it aside. armed: the entry line is
   * the answer, when Enter ends it.
   */
  state: "waiting" | "draft" | "armed";
  /** Of the choices, the one that arrow keys have gone to: Enter alone takes it. Nothing is chosen from the start. */
  selected?: number;
  /** What was set aside; it is given back when the question is over. */
  draft: Entry;
  /** Something was pasted into the answer: it is text, whatever it says. */
  pasted?: boolean;
  /** The last line was no answer and was set aside. */
  refused?: boolean;
  settle(answer: string | undefined): void;
}

const pauseMs = 250;
const typingPauseMs = 800;

export class Answering {
  readonly #entry: EntryLine;
  readonly #bodies = new PrintedBodies();
  #card: { body: Question["body"]; width: number; lines: readonly string[] } | undefined;
  #dialog: Dialog | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(entry: EntryLine) {
    this.#entry = entry;
  }

  /** `follows`: the question comes right after an answer of the same dialog, so its keys count at once. */
  open(what: Pick<Dialog, "question" | "title">, signal: AbortSignal, follows: boolean): Promise<string | undefined> {
    return new Promise((resolve) => {
      const dialog: Dialog = {
        ...what,
        state: "waiting",
        draft: emptyEntry,
        settle: (answer) => {
          signal.removeEventListener("abort", abandoned);
          if (this.#dialog === dialog) this.#end(dialog);
          resolve(answer);
        },
      };
      const abandoned = () => dialog.settle(undefined);
      if (signal.aborted || this.#closed) {
        resolve(undefined);
        return;
      }
      signal.addEventListener("abort", abandoned);
      this.#dialog = dialog;
      if (follows) this.#arm(dialog);
      else this.#wait(dialog);
    });
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#dialog?.settle(undefined);
  }

  get asking(): boolean {
    return this.#dialog !== undefined;
  }

  /** True while the entry line is the answer. */
  get takesLine(): boolean {
    return this.#dialog?.state === "armed";
  }

  /** True when the question took the key; every other key edits the entry line. */
  press(key: Key): boolean {
    const dialog = this.#dialog;
    if (!dialog) return false;
    if (dialog.state === "armed") return dialog.question ? this.#choice(dialog, dialog.question, key) : this.#line(key);
    // A sentence that is ended while the question is there was meant for the model; it waits until the question is over.
    if (isEnter(key) && this.#entry.get().text !== "") {
      this.#arm(dialog);
      return true;
    }
    this.#wait(dialog);
    return false;
  }

  /** What was pasted is text, never an answer. */
  pasted(): void {
    const dialog = this.#dialog;
    if (!dialog) return;
    if (dialog.state === "armed") dialog.pasted = true;
    else this.#wait(dialog);
  }

  /** The lines above the entry line. */
  lines(look: Look): string[] {
    const dialog = this.#dialog;
    if (!dialog || dialog.state === "waiting") return [];
    const asked =
      dialog.question === undefined
        ? wrap(dialog.title ?? "", look.width)
        : [
            ...(dialog.question.title === "" ? [] : wrap(dialog.question.title, look.width)),
            ...choiceLines(dialog.question.choices, look, dialog.question.preset),
          ];
    return [...asked, ...this.#hints(dialog, look)];
  }

  /**
   * The whole question in `rows`: its body, a row for each choice, and others that wait. Where that is too much, `print` is the
   * body, to be written above once, and the choices stand beside each other.
   */
  card(look: Look, rows: number): { lines: string[]; print: string[] } {
    const dialog = this.#dialog;
    const question = dialog?.question;
    if (!dialog || !question) return { lines: this.lines(look), print: [] };
    const title = question.title === "" ? [] : wrap(question.title, look.width);
    const end = [...this.#hints(dialog, look, true), ...behindLines(question, look)];
    const marks = { preset: question.preset, selected: dialog.selected };
    const list = [...title, ...choiceList(question.choices, look, marks), ...end];
    const inline = [...title, ...choiceLines(question.choices, look, question.preset, dialog.selected), ...end];
    const body = question.body ? [...this.#drawn(question.body, look), ""] : [];
    const fits = [
      [...body, ...list],
      [...body, ...inline],
    ].find((lines) => lines.length <= rows);
    // The choices are there when they count.
    if (dialog.state === "waiting") return { lines: fits ? body : [], print: [] };
    if (fits) return { lines: fits, print: [] };
    return { lines: list.length <= rows ? list : inline, print: this.#bodies.once(question, look) };
  }

  /** Drawn once for a width: a long one is not laid out anew for each frame. */
  #drawn(body: NonNullable<Question["body"]>, look: Look): readonly string[] {
    const known = this.#card;
    if (known?.body === body && known.width === look.width) return known.lines;
    const lines = body(look);
    this.#card = { body, width: look.width, lines };
    return lines;
  }

  #hints({ state, question, refused, draft }: Dialog, look: Look, arrows = false): string[] {
    const { style, width } = look;
    const dim = (text: string) => wrap(text, width).map((line) => style.dim(line));
    if (state === "draft") return wrap(style.yellow(words.enterFirst), width);
    if (question === undefined) return [];
    return [
      ...(refused ? wrap(style.yellow(words.noAnswer), width) : []),
      ...dim(arrows ? words.arrowsOrLetter : words.letterAndEnter),
      ...(draft.text === "" ? [] : dim(words.draftKept)),
    ];
  }

  /** Only a line that Enter ends and that is a choice and nothing else answers; any other text is set aside. */
  #choice(dialog: Dialog, question: Question, key: Key): boolean {
    if (key.name === "escape") {
      this.#giveBack(dialog);
      return true;
    }
    const { text } = this.#entry.get();
    if (!isEnter(key)) return this.#move(dialog, question, key, text) || movesAway(key);
    const selected = dialog.selected === undefined ? undefined : question.choices[dialog.selected]?.key;
    const chosen = dialog.pasted ? undefined : text === "" && selected ? selected : choiceOf(text, question);
    if (chosen !== undefined) {
      this.#entry.set(emptyEntry);
      dialog.settle(chosen);
    } else if (text !== "") {
      dialog.refused = true;
      if (dialog.pasted || !slip.test(text.trim())) this.#setAside(dialog);
      this.#entry.set(emptyEntry);
    }
    return true;
  }

  /** Up begins at the last choice, which changes nothing, Down at the first. */
  #move(dialog: Dialog, { choices, behind }: Question, { name }: Key, text: string): boolean {
    if (text !== "") return false;
    const by = name === "down" || name === "right" ? 1 : name === "up" || name === "left" ? -1 : 0;
    if (name === "tab" && (behind?.().length ?? 0) > 0) dialog.settle(nextQuestion);
    else if (by === 0) return false;
    else {
      const from = dialog.selected ?? (by === 1 ? -1 : choices.length);
      dialog.selected = (from + by + choices.length) % choices.length;
      this.#entry.redraw();
    }
    return true;
  }

  #line(key: Key): boolean {
    if (key.name !== "escape") return false;
    this.#entry.set(emptyEntry);
    this.#dialog?.settle(undefined);
    return true;
  }

  /** The finished line of an answer in words. */
  answer(text: string): void {
    this.#entry.set(emptyEntry);
    this.#dialog?.settle(entryText(text));
  }

  /** No key counts until nothing has been typed for a while. */
  #wait(dialog: Dialog): void {
    clearTimeout(this.#timer);
    dialog.state = "waiting";
    const pause = this.#entry.get().text === "" ? pauseMs : typingPauseMs;
    this.#timer = setTimeout(() => {
      if (this.#dialog !== dialog) return;
      if (this.#entry.get().text === "") this.#arm(dialog);
      else dialog.state = "draft";
      this.#entry.redraw();
    }, pause);
    this.#entry.redraw();
  }

  #arm(dialog: Dialog): void {
    clearTimeout(this.#timer);
    this.#setAside(dialog);
    dialog.state = "armed";
    this.#entry.set(emptyEntry);
  }

  #setAside(dialog: Dialog): void {
    dialog.draft = joined(dialog.draft, this.#entry.get());
    delete dialog.pasted;
  }

  #giveBack(dialog: Dialog): void {
    const draft = joined(dialog.draft, this.#entry.get());
    if (draft.text === "") return;
    dialog.draft = emptyEntry;
    dialog.state = "draft";
    delete dialog.refused;
    delete dialog.pasted;
    this.#entry.set(draft);
  }

  /** Whatever was typed and is no answer stands in the entry line again. */
  #end(dialog: Dialog): void {
    clearTimeout(this.#timer);
    this.#dialog = undefined;
    if (dialog.state === "armed") this.#entry.set(joined(dialog.draft, this.#entry.get()));
    else this.#entry.redraw();
  }
}

function behindLines({ behind }: Question, { style, width }: Look): string[] {
  const others = behind?.() ?? [];
  if (others.length === 0) return [];
  const rows = others.map((line) => cutEnd(`  ${style.symbols.bullet} ${line}`, width - 1, style.symbols.ellipsis));
  return [...wrap(words.othersWait(others.length), width), ...rows].map(style.dim);
}

/** A letter or a short word that was to be an answer and is none: nobody wants it back as a prompt. */
const slip = /^\S{1,3}$/;

const joined = (first: Entry, second: Entry): Entry =>
  second.text === "" ? first : first.text === "" ? second : entryOf(`${first.text} ${second.text}`);

/** Keys that would leave the session or bring an earlier prompt into the answer. */
const movesAway = ({ name, ctrl }: Key): boolean =>
  name === "tab" || name === "up" || name === "down" || (ctrl && ["d", "p", "n"].includes(name));

const isEnter = ({ name, alt }: Key): boolean => (name === "return" || name === "enter") && !alt;
