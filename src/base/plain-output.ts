// Output of a program as plain text: without the escape sequences by which it colours and moves on a terminal.

const escape = String.fromCharCode(0x1b);
const bell = String.fromCharCode(0x07);
const backspace = String.fromCharCode(0x08);

const sequences = new RegExp(
  [
    // Control sequences: colours, the cursor, clearing.
    `${escape}\\[[0-?]*[ -/]*[@-~]`,
    // Strings that end with a bell or a terminator: titles, links.
    `${escape}[\\]PX^_][^${bell}${escape}]{0,4096}(?:${bell}|${escape}\\\\)`,
    // All others, and what is left of a sequence that was cut.
    `${escape}[ -/]*[0-~]?`,
  ].join("|"),
  "g",
);
const overstruck = new RegExp(`[^\\n${backspace}]${backspace}`, "g");

export function plainOutput(text: string): string {
  const bare = text.includes(escape) ? text.replace(sequences, "") : text;
  return bare.includes(backspace) ? bare.replace(overstruck, "") : bare;
}
