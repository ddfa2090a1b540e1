// Makes text safe to show where a person decides: nothing hidden, nothing that moves the cursor, nothing cut.

const names: Record<number, string> = {
  7: "\\a",
  8: "\\b",
  9: "\\t",
  10: "\\n",
  11: "\\v",
  12: "\\f",
  13: "\\r",
  27: "\\e",
};

/** Besides the classes below: what a person cannot see, or cannot tell from a plain space. */
const unsafeRanges: readonly (readonly [number, number])[] = [
  [0xa0, 0xa0],
  [0x34f, 0x34f],
  [0x115f, 0x1160], // Hangul fillers
  [0x1680, 0x1680],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x2000, 0x200f], // spaces, zero-width characters, direction marks
  [0x202f, 0x202f],
  [0x205f, 0x206f], // invisible operators, bidi isolates
  [0x2800, 0x2800],
  [0x3000, 0x3000],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0f], // variation selectors
  [0xffa0, 0xffa0],
  [0xfff0, 0xffff],
  [0xe0000, 0xe0fff], // tags, more variation selectors
];
/** Controls, formats, lone surrogates, private use, line and paragraph separators. */
const unsafeClasses = "\\p{Cc}\\p{Cf}\\p{Cs}\\p{Co}\\p{Zl}\\p{Zp}";
const hex = (code: number, width: number) => code.toString(16).padStart(width, "0");
const unsafe = new RegExp(
  `[${unsafeRanges.map(([from, to]) => `\\u{${hex(from, 4)}}-\\u{${hex(to, 4)}}`).join("")}${unsafeClasses}]`,
  "gu",
);

function visible(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return names[code] ?? (code < 0x100 ? `\\x${hex(code, 2)}` : `\\u{${hex(code, 4)}}`);
}

/** One line: line breaks and tabs become visible too. */
export function escapeLine(text: string): string {
  return doubled(text).replace(unsafe, visible);
}

/** What already reads like one of our escapes gets a second backslash, so that it cannot pass for one. */
function doubled(text: string): string {
  return text.includes("\\") ? text.replace(/\\(?=x[0-9a-f]{2}|u\{|e(?![a-z]))/g, "\\\\") : text;
}
