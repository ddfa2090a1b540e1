// A prompt of several lines, typed a line at a time.

/** An entry goes on after a trailing backslash and inside an open `"""`. */
export function isOpen(text: string): boolean {
  return text.endsWith("\\") || (text.split('"""').length - 1) % 2 === 1;
}

/** What the entry stands for: without continuation marks and block quotes around it. */
export function entryText(text: string): string {
  const block = /^\s*"""\n?([\s\S]*?)\n?"""\s*$/.exec(text);
  if (block && !block[1]?.includes('"""')) return block[1] ?? "";
  return text.replace(/\\\n/g, "\n").trim();
}
