/** A text cut in its middle. `left` is the number of bytes between `head` and `tail`; 0 means that `head` is all. */
interface HeadTail {
  head: string;
  tail: string;
  left: number;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

export const byteLength = (text: string): number => {
  let length = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    length += unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3;
    if (unit >= 0xd800 && unit < 0xdc00 && isLow(text.charCodeAt(index + 1))) {
      length += 1;
      index += 1;
    }
  }
  return length;
};
const isLow = (unit: number) => unit >= 0xdc00 && unit < 0xe000;

/** At most `head` bytes of the start and `tail` bytes of the end, at line ends where one is near, never inside a character. */
export function headTail(text: string, head: number, tail: number): HeadTail {
  if (text.length <= head + tail && byteLength(text) <= head + tail) return { head: text, tail: "", left: 0 };
  const bytes = encoder.encode(text);
  const start = headEnd(bytes, head);
  const rest = Math.max(start, tailStart(bytes, tail));
  return {
    head: decoder.decode(bytes.subarray(0, start)),
    tail: decoder.decode(bytes.subarray(rest)),
    left: rest - start,
  };
}

const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80;

function headEnd(bytes: Uint8Array, limit: number): number {
  let end = Math.min(limit, bytes.length);
  while (end > 0 && isContinuation(bytes[end])) end -= 1;
  const line = end > 0 ? bytes.lastIndexOf(10, end - 1) + 1 : 0;
  return line > 0 && end - line <= limit / 4 ? line : end;
}

function tailStart(bytes: Uint8Array, limit: number): number {
  let start = Math.max(0, bytes.length - limit);
  while (start < bytes.length && isContinuation(bytes[start])) start += 1;
  const line = bytes.indexOf(10, start) + 1;
  return line > 0 && line < bytes.length && line - start <= limit / 4 ? line : start;
}
