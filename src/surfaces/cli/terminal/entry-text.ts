// A prompt of several lines, typed a line at a time.

/** An entry goes on after a trailing backslash and inside an open `"""`. */
export function isOpen(text: string): boolean {
  return text.endsWith("\\") || (text.split('"""').length - 1) % 2 === 1;
}

/** Without the block quotes around it, where they are around all of it. */
export function withoutQuotes(text: string): string {
  const block = /^\s*"""\n?([\s\S]*?)\n?"""\s*$/.exec(text);
  return block && !block[1]?.includes('"""') ? (block[1] ?? "") : text;
}

/** What the entry stands for: without continuation marks and block quotes around it. */
export function entryText(text: string): string {
  const inside = withoutQuotes(text);
  return inside === text ? text.replace(/\\\n/g, "\n").trim() : inside;
}
