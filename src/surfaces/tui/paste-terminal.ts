// A terminal that takes pastes of any length. The library looks through all that has come of a paste with each piece of it.
import { ProcessTerminal } from "@earendil-works/pi-tui";
import { askClipboard, ClipboardAnswer } from "./clipboard-answer.ts";

const begins = "\x1b[200~";
const ends = "\x1b[201~";

interface Taken {
  kind: "typed" | "pasted";
  text: string;
}

/** Tells pastes from keys, looking at each piece once. */
export class PasteReader {
  #pieces: string[] | undefined;
  /** The last letters of the piece before: the end's mark may be cut in two. */
  #tail = "";

  take(data: string): Taken[] {
    const taken: Taken[] = [];
    for (let rest = data; rest !== "" || this.#pieces; ) {
      if (!this.#pieces) {
        const at = rest.indexOf(begins);
        if (at !== 0) taken.push({ kind: "typed", text: at === -1 ? rest : rest.slice(0, at) });
        if (at === -1) return taken;
        this.#pieces = [];
        this.#tail = "";
        rest = rest.slice(at + begins.length);
      }
      const looked = this.#tail + rest;
      const end = looked.indexOf(ends);
      if (end === -1) {
        const kept = Math.max(0, looked.length - (ends.length - 1));
        this.#pieces.push(looked.slice(0, kept));
        this.#tail = looked.slice(kept);
        return taken;
      }
      taken.push({ kind: "pasted", text: [...this.#pieces, looked.slice(0, end)].join("") });
      this.#pieces = undefined;
      rest = looked.slice(end + ends.length);
    }
    return taken;
  }
}

/**
 * Text that a terminal without marks for pastes sends at once. Nobody types on behind an Enter within one read; and while a question is
 * open, no letter and its Enter come together that way.
 */
export function pastedAtOnce(text: string, asks: boolean): string | undefined {
  if (text.includes("\x1b")) return undefined;
  const several = /[^\x00-\x1f\x7f][^]*[\r\n]+[^\r\n\x00-\x1f\x7f]/.test(text);
  const answer = asks && /[^\x00-\x1f\x7f][\r\n]/.test(text);
  return several || answer ? text.replace(/[\r\n]+$/, "") : undefined;
}

export class PasteTerminal extends ProcessTerminal {
  asks = (): boolean => false;
  /** Each key and each answer, also those that the library keeps for itself. */
  heard: (sequence: string) => void = () => undefined;
  #frame: string[] | undefined;
  #hidden = false;
  #clipboard: ClipboardAnswer | undefined;

  /** The image in the terminal's clipboard; undefined: it hands over none, or not in time. */
  copiedImage(kinds: readonly string[], patienceMs: number): Promise<Uint8Array | undefined> {
    return new Promise((resolve) => {
      const answer = new ClipboardAnswer(kinds, (image) => {
        clearTimeout(patience);
        resolve(image);
      });
      const patience = setTimeout(() => answer.giveUp(), patienceMs);
      this.#clipboard = answer;
      this.write(askClipboard(kinds));
    });
  }

  /** A frame is one write; the library would make three of it. */
  frame(work: () => void): void {
    this.#frame = [];
    try {
      work();
    } finally {
      const drawn = this.#frame.join("");
      this.#frame = undefined;
      if (drawn !== "") super.write(drawn);
    }
  }

  override write(data: string): void {
    if (this.#frame) this.#frame.push(data);
    else super.write(data);
  }

  override hideCursor(): void {
    if (!this.#hidden) this.write("\x1b[?25l");
    this.#hidden = true;
  }

  override showCursor(): void {
    this.#hidden = false;
    this.write("\x1b[?25h");
  }

  protected override setupStdinBuffer(): void {
    super.setupStdinBuffer();
    const buffer = this.stdinBuffer;
    if (!buffer) return;
    buffer.on("data", (sequence) => this.heard(sequence));
    const reader = new PasteReader();
    const typed = buffer.process.bind(buffer);
    buffer.process = (data) => {
      const keys = this.#clipboard?.over === false ? this.#clipboard.take(data) : data;
      for (const { kind, text } of keys === "" ? [] : reader.take(keys)) {
        const pasted = kind === "pasted" ? text : pastedAtOnce(text, this.asks());
        if (pasted === undefined) typed(text);
        else buffer.emit("paste", pasted);
      }
    };
  }
}
