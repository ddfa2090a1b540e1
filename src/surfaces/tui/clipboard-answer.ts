// What a terminal answers that is asked for an image in its clipboard: kitty's protocol, OSC 5522.

const begins = "\x1b]5522;";
const ends = /\x1b\\|\x07/;
/** So much base64 is the largest image. */
const most = 28 * 1024 * 1024;

const encoded = (text: string): string => Buffer.from(text).toString("base64");

export const askClipboard = (kinds: readonly string[]): string =>
  `${begins}type=read;${encoded(kinds.join(" "))}\x1b\\`;

/** Takes the answer out of what comes from the terminal; all else are keys. */
export class ClipboardAnswer {
  readonly #kinds: readonly string[];
  readonly #settle: (image: Uint8Array | undefined) => void;
  readonly #pieces = new Map<string, string[]>();
  #held = "";
  #size = 0;
  #over = false;
  #settled = false;
  #begun = false;

  /** `kinds`: the first of them that comes is taken. */
  constructor(kinds: readonly string[], settle: (image: Uint8Array | undefined) => void) {
    this.#kinds = kinds;
    this.#settle = settle;
  }

  get over(): boolean {
    return this.#over;
  }

  /** What of it was typed. */
  take(data: string): string {
    let keys = "";
    let rest = this.#held + data;
    this.#held = "";
    while (!this.#over) {
      const at = beginOf(rest, this.#begun ? 1 : 2);
      keys += rest.slice(0, at);
      rest = rest.slice(at);
      const end = rest.startsWith(begins) ? ends.exec(rest) : null;
      if (!end) {
        this.#held = rest;
        if (rest.length > most) this.#end(undefined);
        return keys;
      }
      this.#answer(rest.slice(begins.length, end.index));
      rest = rest.slice(end.index + end[0].length);
    }
    return keys + rest;
  }

  /** What comes later is still nobody's typing. */
  giveUp(): void {
    this.#tell(undefined);
  }

  #answer(answer: string): void {
    const [head = "", data = ""] = answer.split(";", 2);
    const fields = new Map(head.split(":").map((field) => field.split(/=(.*)/s, 2) as [string, string]));
    if (fields.get("type") !== "read") return;
    this.#begun = true;
    const status = fields.get("status");
    if (status === "DATA") {
      const kind = Buffer.from(fields.get("mime") ?? "", "base64").toString();
      this.#size += data.length;
      if (this.#size > most) this.#end(undefined);
      else if (!this.#settled)
        this.#pieces
          .set(kind, this.#pieces.get(kind) ?? [])
          .get(kind)
          ?.push(data);
    } else if (status !== "OK") this.#end(status === "DONE" ? this.#image() : undefined);
  }

  #image(): Uint8Array | undefined {
    const pieces = this.#kinds.map((kind) => this.#pieces.get(kind)).find((each) => each !== undefined);
    // Each piece is base64 of its own.
    return pieces && Buffer.concat(pieces.map((piece) => Buffer.from(piece, "base64")));
  }

  #end(image: Uint8Array | undefined): void {
    this.#over = true;
    this.#tell(image);
  }

  #tell(image: Uint8Array | undefined): void {
    this.#pieces.clear();
    if (!this.#settled) this.#settle(image);
    this.#settled = true;
  }
}

/** Where an answer begins, or may, with so many letters at least: before the first of it, Esc by itself is a key. */
function beginOf(text: string, least: number): number {
  const whole = text.indexOf(begins);
  if (whole !== -1) return whole;
  for (let length = Math.min(begins.length - 1, text.length); length >= least; length -= 1)
    if (text.endsWith(begins.slice(0, length))) return text.length - length;
  return text.length;
}
