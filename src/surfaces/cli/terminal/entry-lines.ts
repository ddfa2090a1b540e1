// The entry line on the screen: wrapped, with the cursor's place.
import type { Look } from "../text/style.ts";
import { hardWrap, textWidth } from "../text/width.ts";
import type { Entry } from "./editor.ts";
import type { Cursor } from "../host/screen.ts";

/** Rows of text that fit beside the mark, one column left free for the cursor. */
const rowsOf = (text: string, width: number) => text.split("\n").flatMap((line) => hardWrap(line, width));

export function entryLines(entry: Entry, mark: string, look: Look): { lines: string[]; cursor: Cursor } {
  const indent = textWidth(mark) + 1;
  const width = Math.max(4, look.width - indent - 1);
  const rows = rowsOf(entry.text, width);
  const before = rowsOf(entry.text.slice(0, entry.cursor), width);
  const lines = rows.map((row, at) => `${at === 0 ? mark : " ".repeat(indent - 1)} ${row}`);
  return { lines, cursor: { row: before.length - 1, column: indent + textWidth(before.at(-1) ?? "") } };
}
