// Hints name what the person can type: `fettle`, or where that is not on their PATH, the program's own path.
import { commandRows } from "./commands.ts";

const names = commandRows.map(({ name }) => name).join("|");
/** The program in command position: a command, an option or a quoted prompt follows. */
const typed = new RegExp(`(?<![\\w./-])fettle(?= (?:(?:${names})\\b|-(?:-?\\w|- )|["']))`, "g");

export const asTyped = (text: string, name: string | undefined): string =>
  name === undefined ? text : text.replace(typed, () => name);
