// Text that others wrote (models, programs, files) must not steer the terminal: every escape sequence is taken out,
// with hidden and direction-changing characters.

const sequences =
  /\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)|\x9b[0-?]*[ -/]*[@-~]|\x1b[ -/]+[0-~]|\x1b[0-OQ-WYZ\\`-~]/g;
const controls = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu;
/** A sequence that its end is still missing from. */
const unfinished = /(?:\x1b(?:\[[0-?]*[ -/]*|[\]PX^_][^\x07\x1b\x9c]*\x1b?|[ -/]*)|\x9b[0-?]*[ -/]*)$/;
const longestSequence = 4096;

/** A carriage return starts its line anew, as a progress bar does it; one at the line's end starts nothing. */
const withoutReturns = (text: string): string =>
  text.includes("\r")
    ? text
        .replaceAll("\r\n", "\n")
        .split("\n")
        .map((line) => line.slice(line.lastIndexOf("\r", line.length - 2) + 1))
        .join("\n")
    : text;

export function safeText(text: string): string {
  return withoutReturns(text.replace(sequences, "")).replace(controls, "");
}

/** One line, for places that hold no more. */
export function safeLine(text: string): string {
  return safeText(text).replace(/\s+/g, " ").trim();
}

/** The same for text in pieces: a sequence that a piece ends in waits for its rest. */
export class SafeStream {
  #held = "";

  push(piece: string): string {
    const text = this.#held + piece;
    const start = /[\x1b\x9b]/.test(text) ? text.search(unfinished) : -1;
    const cut = start === -1 ? (text.endsWith("\r") ? text.length - 1 : text.length) : start;
    const hold = text.length - cut <= longestSequence ? cut : text.length;
    this.#held = text.slice(hold);
    return safeText(text.slice(0, hold));
  }

  end(): string {
    const rest = this.#held;
    this.#held = "";
    return safeText(rest);
  }
}
