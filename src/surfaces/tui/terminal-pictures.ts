// How this terminal takes pictures: as the setting says, as its variables do, or as it answers when it is asked.
import { getImageDimensions } from "@earendil-works/pi-tui";
import { drawnPicture, inMultiplexer, type Picture, pictureProtocol, pictureRoom } from "./pictures.ts";

interface Cells {
  columns: number;
  rows: number;
}

/** How large a cell is in pixels; what else it can, the library asks. */
const question = "\x1b[16t";
const sixel = "4";

export class TerminalPictures {
  readonly #setting: string;
  readonly #env: Readonly<Record<string, string | undefined>>;
  #cell: { width: number; height: number } | undefined;
  #sixels: typeof import("./sixel.ts").sixelsOf | undefined;

  constructor(setting: string, env: Readonly<Record<string, string | undefined>>) {
    this.#setting = setting;
    this.#env = env;
  }

  /** Empty where it need not be asked. Nobody waits for the answer. */
  get question(): string {
    const { TERM: term = "" } = this.#env;
    const asks = (this.#setting === "auto" && this.protocol === undefined) || this.#setting === "sixel";
    return asks && !inMultiplexer(this.#env) && !/^(?:linux|dumb)$/.test(term) ? question : "";
  }

  /** Something that the terminal has sent, among it what it answers the library. */
  heard(data: string): void {
    const [, abilities = ""] = /^\x1b\[\?([\d;]+)c$/.exec(data) ?? [];
    if (abilities.split(";").slice(1).includes(sixel) && this.question !== "")
      void import("./sixel.ts").then(({ sixelsOf }) => (this.#sixels = sixelsOf));
  }

  /** True: the terminal has answered, and nobody typed that. */
  answered(data: string): boolean {
    const [, height, width] = /^\x1b\[6;(\d{1,4});(\d{1,4})t$/.exec(data) ?? [];
    if (Number(height) > 0 && Number(width) > 0) this.#cell = { width: Number(width), height: Number(height) };
    return height !== undefined;
  }

  get protocol(): "kitty" | "iterm2" | undefined {
    if (this.#setting === "kitty" || this.#setting === "iterm2") return this.#setting;
    return this.#setting === "auto" ? pictureProtocol(this.#env) : undefined;
  }

  /** Undefined: it is only named. */
  drawn(picture: Picture, terminal: Cells): { bytes: string; rows: number } | undefined {
    const { protocol } = this;
    if (protocol) return drawnPicture(picture, protocol, terminal);
    const room = pictureRoom(terminal);
    const [cell, sixels] = [this.#cell, this.#sixels];
    if (!cell || !sixels || !room || picture.mime !== "image/png") return undefined;
    const size = getImageDimensions(picture.data, picture.mime);
    const pixels = { width: room.columns * cell.width, height: room.rows * cell.height };
    const drawn = size && sixels(picture.data, { width: size.widthPx, height: size.heightPx }, pixels);
    return drawn ? { bytes: drawn.bytes, rows: Math.ceil(drawn.height / cell.height) } : undefined;
  }
}
