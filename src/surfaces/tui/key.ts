// One key as the session knows it, from the bytes of the terminal.
import { decodeKittyPrintable, parseKey } from "@earendil-works/pi-tui";

/** `name` as in node:readline; `text` is what the key types, if anything. */
export interface Key {
  name: string;
  text: string;
  ctrl: boolean;
  alt: boolean;
  shift: boolean;
}

/** Names of the library to those of node:readline. */
const names: Readonly<Record<string, string>> = { enter: "return", esc: "escape" };

export function keyOf(data: string): Key {
  const parts = (parseKey(data) ?? "").split("+");
  const name = parts.at(-1) ?? "";
  const typed = decodeKittyPrintable(data) ?? (/^[^\x00-\x1f\x7f]+$/.test(data) ? data : "");
  return {
    name: names[name] ?? name,
    text: typed,
    ctrl: parts.includes("ctrl"),
    alt: parts.includes("alt"),
    shift: parts.includes("shift"),
  };
}
