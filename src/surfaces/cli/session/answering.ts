// A question on the screen: when a key is its answer, and where the text goes that somebody was typing when it came.
import { choiceLines } from "../render/approval.ts";
import type { Look } from "../render/style.ts";
import { wrap } from "../render/width.ts";
import { interactive as words } from "../words/interactive.ts";
import type { Question } from "./console.ts";
import { type Entry, emptyEntry, entryOf, entryText, insert, type Key } from "./editor.ts";

/** The entry line that the question shares with what the person types. */
interface EntryLine {
  get(): Entry;
  set(entry: Entry): void;
  redraw(): void;
}

interface Dialog {
  /** Of choices, answered by a letter. */
  question?: Question;
  /** Of words, answered by a line. */
  title?: string;
  /**
   * waiting: for a pause in typing. draft: there is text in the entry line, and only Enter sets it aside. armed: what is typed
   * answers.
   */
  state: "waiting" | "draft" | "armed";
  /** What was set aside; it is given back when the question is over. */
  draft: Entry;
  /** A letter that was pressed a moment ago: if text follows at once, it was the beginning of a sentence. */
  pressed?: string;
  settle(answer: string | undefined): void;
}

const pauseMs = 250;
const typingPauseMs = 800;
/** People who type leave less than this between two letters. */
const burstMs = 200;

export class Answering {
  readonly #entry: EntryLine;
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

  /** True while letters answer and the entry line is away. */
  get takesLetters(): boolean {
    return this.#dialog?.state === "armed" && this.#dialog.question !== undefined;
  }

  /** True while the entry line is the answer. */
  get takesLine(): boolean {
    return this.#dialog?.state === "armed" && this.#dialog.title !== undefined;
  }

  /** True when the question took the key; every other key edits the entry line. */
  press(key: Key): boolean {
    const dialog = this.#dialog;
    if (!dialog) return false;
    if (dialog.state === "armed") return dialog.question ? this.#letter(dialog, dialog.question, key) : this.#line(key);
    if (dialog.state === "draft" && isEnter(key) && this.#entry.get().text !== "") {
      this.#arm(dialog);
      return true;
    }
    this.#wait(dialog);
    return false;
  }

  /** What was pasted is text, never an answer. True when there is no entry line that it could join. */
  paste(): boolean {
    const dialog = this.#dialog;
    if (!dialog) return false;
    if (dialog.state === "armed") {
      if (!dialog.question) return false;
      if (dialog.draft.text !== "") return true;
      this.#unpress(dialog);
    }
    this.#wait(dialog);
    return false;
  }

  /** The lines above the entry line. */
  lines(look: Look): string[] {
    const dialog = this.#dialog;
    if (!dialog || dialog.state === "waiting") return [];
    const hint = (text: string) => wrap(text, look.width).map((line) => look.style.dim(line));
    const asked =
      dialog.question === undefined
        ? wrap(dialog.title ?? "", look.width)
        : [
            ...(dialog.question.title === "" ? [] : wrap(dialog.question.title, look.width)),
            ...choiceLines(dialog.question.choices, look, dialog.question.preset),
          ];
    if (dialog.state === "draft") return [...asked, ...wrap(look.style.yellow(words.enterFirst), look.width)];
    return dialog.draft.text === "" || dialog.question === undefined ? asked : [...asked, ...hint(words.draftKept)];
  }

  #letter(dialog: Dialog, { choices, preset }: Question, key: Key): boolean {
    const { pressed } = dialog;
    if (isEnter(key)) {
      const chosen = pressed ?? preset;
      if (chosen !== undefined) dialog.settle(chosen);
      return true;
    }
    const plain = !key.ctrl && !key.alt;
    const letter = key.text.toLowerCase();
    if (pressed === undefined && plain && choices.some((choice) => choice.key === letter)) {
      dialog.pressed = letter;
      this.#timer = setTimeout(() => dialog.settle(letter), burstMs);
      return true;
    }
    this.#unpress(dialog);
    if (key.name === "escape") this.#giveBack(dialog);
    else if (plain && key.text >= " " && key.text !== "\x7f" && dialog.draft.text === "") {
      this.#entry.set(insert(entryOf(pressed ?? ""), key.text));
      this.#wait(dialog);
    }
    return true;
  }

  #line(key: Key): boolean {
    if (key.name !== "escape") return false;
    this.#dialog?.settle(undefined);
    return true;
  }

  /** The finished line of an answer in words. */
  answer(text: string): void {
    this.#dialog?.settle(entryText(text));
  }

  #unpress(dialog: Dialog): void {
    clearTimeout(this.#timer);
    delete dialog.pressed;
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
    dialog.draft = this.#entry.get();
    dialog.state = "armed";
    this.#entry.set(emptyEntry);
  }

  #giveBack(dialog: Dialog): void {
    if (dialog.draft.text === "") return;
    const { draft } = dialog;
    dialog.draft = emptyEntry;
    dialog.state = "draft";
    this.#entry.set(draft);
  }

  #end(dialog: Dialog): void {
    clearTimeout(this.#timer);
    this.#dialog = undefined;
    if (dialog.state === "armed") this.#entry.set(dialog.draft);
    else this.#entry.redraw();
  }
}

const isEnter = ({ name, alt }: Key): boolean => (name === "return" || name === "enter") && !alt;
