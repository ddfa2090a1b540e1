// Pictures among the lines, where the terminal is known to draw them.
import { encodeITerm2, encodeKitty, getImageDimensions } from "@earendil-works/pi-tui";

export type PictureProtocol = "kitty" | "iterm2";

type Env = Readonly<Record<string, string | undefined>>;

export interface Picture {
  mime: string;
  /** Base64. */
  data: string;
}

/** Inside of tmux or screen the bytes would not arrive as they are. */
export const inMultiplexer = ({ TERM: term = "", TMUX: tmux, STY: screen }: Env): boolean =>
  Boolean(tmux || screen) || /^(?:tmux|screen|dumb)/.test(term);

/** Undefined: none that is known by its variables. */
export function pictureProtocol(env: Env): PictureProtocol | undefined {
  const { TERM: term = "", TERM_PROGRAM: program = "" } = env;
  if (inMultiplexer(env)) return undefined;
  if (/kitty|ghostty/.test(term) || env["KITTY_WINDOW_ID"] || /^(?:ghostty|WezTerm)$/.test(program)) return "kitty";
  return program === "iTerm.app" ? "iterm2" : undefined;
}

/** A cell is taken to be twice as high as wide; the terminal fits the picture into its cells without bending it. */
const cell = { width: 9, height: 18 };
const most = { columns: 60, rows: 20 };
const least = { columns: 10, rows: 8 };

/** Cells that a picture may take at most; undefined: there is no room for any. */
export function pictureRoom({ columns, rows }: { columns: number; rows: number }) {
  if (columns < least.columns || rows < least.rows) return undefined;
  return { columns: Math.min(columns - 2, most.columns), rows: Math.min(rows - 4, most.rows) };
}

/** Undefined: the protocol does not take it, it is none, or there is no room. */
export function drawnPicture(
  { mime, data }: Picture,
  protocol: PictureProtocol,
  terminal: { columns: number; rows: number },
): { bytes: string; rows: number } | undefined {
  const room = pictureRoom(terminal);
  if (!room || !/^[a-z0-9+/]+=*$/i.test(data)) return undefined;
  // Kitty takes no other file.
  if (protocol === "kitty" && mime !== "image/png") return undefined;
  const size = getImageDimensions(data, mime);
  if (!size || size.widthPx < 1 || size.heightPx < 1) return undefined;
  const [wide, high] = [size.widthPx / cell.width, size.heightPx / cell.height];
  const scale = Math.min(1, room.columns / wide, room.rows / high);
  const cells = {
    columns: Math.min(room.columns, Math.max(1, Math.ceil(wide * scale))),
    rows: Math.min(room.rows, Math.max(1, Math.ceil(high * scale))),
  };
  const bytes =
    protocol === "kitty"
      ? encodeKitty(data, { ...cells, moveCursor: false })
      : encodeITerm2(data, { width: cells.columns, height: cells.rows });
  return { bytes, rows: cells.rows };
}
